//go:build !linux

package native

import "os/exec"

// This file owns the systems without memory files.

func mayNameMachine() bool { return false }

func separateMachine(*exec.Cmd) {}

func nameMachine(string) error { return ErrUnsupported }

func tryToChange(string) ([]string, error) { return nil, ErrUnsupported }

func otherFile(int, []byte) error { return ErrUnsupported }
