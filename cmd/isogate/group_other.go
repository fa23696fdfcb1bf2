//go:build !linux

package main

import (
	"errors"
	"os/exec"
	"syscall"
)

// This file owns a command's process group where waitid(2) cannot
// leave the leader in place.

// ownGroup are the attributes that give a command its own group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// waitGroup waits for a started command and kills what it left running. A
// process that holds the command's pipes open delays it by cmd.WaitDelay.
func waitGroup(cmd *exec.Cmd) error {
	err := cmd.Wait()
	_ = killGroup(cmd.Process.Pid)
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // the command itself ended well
	}
	return err
}
