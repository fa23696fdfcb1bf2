//go:build unix

package bench

import (
	"os/exec"
	"syscall"
)

// This file owns process groups.

// inOwnGroup makes the command the first of a process group of its own.
func inOwnGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the command and what it started in its group.
func killGroup(c *exec.Cmd) error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
