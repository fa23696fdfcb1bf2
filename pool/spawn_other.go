//go:build !linux

package pool

import (
	"errors"
	"os"
	"time"
)

// This file owns the platforms on which children cannot be supervised: New fails there.

var errUnsupported = errors.New("supervised children need Linux")

func spawn(spawnSpec) (*process, error) { return nil, errUnsupported }

func (p *process) wait() (*os.ProcessState, error) { return p.os.Wait() }

func (p *process) cpuTime() (time.Duration, bool) { return 0, false }

func (p *process) dataSize() (int64, bool) { return 0, false }

func (p *process) residentSize() (int64, bool) { return 0, false }

func (p *process) limitData(soft, hard int64) error { return errUnsupported }

func newMemoryFile(string) (*os.File, error) { return nil, errUnsupported }

func sealMemoryFile(*os.File) error { return errUnsupported }
