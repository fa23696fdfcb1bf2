package main

import (
	"errors"
	"os"
	"syscall"
)

// This file owns the process group that a command runs in.

// ownGroup are the attributes that give a command its own group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the group of the process leader: it and all it started.
func killGroup(leader int) error {
	err := syscall.Kill(-leader, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
