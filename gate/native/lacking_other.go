//go:build !linux

package native

import (
	"fmt"
	"os/exec"
)

// This file owns the systems on which no such machine can be played.

func confineCommand(*exec.Cmd, string) error {
	return fmt.Errorf("%w: measures are Linux's", ErrUnsupported)
}

func confine(string) error { return ErrUnsupported }
