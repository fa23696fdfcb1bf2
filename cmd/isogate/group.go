package main

import (
	"errors"
	"os"
	"syscall"
)

// This file owns the process group that a command runs in.

// killGroup kills the group of the process leader: it and all it started.
func killGroup(leader int) error {
	err := syscall.Kill(-leader, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
