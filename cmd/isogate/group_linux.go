package main

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// This file owns a command's process group on Linux.

// ownGroup are the attributes that give a command its own group, and end it when
// isogate itself is killed. The kernel does that when the thread that started
// the command ends, so the caller stays on its thread: PR_SET_PDEATHSIG(2const).
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// waitGroup waits for a started command and kills what it left running. That is
// also what lets Wait return: such a process may hold the command's pipes open.
func waitGroup(cmd *exec.Cmd) error {
	// Not taking the exit status yet keeps the process id, and so the group's,
	// from being given to anyone else before the group is killed: waitid(2).
	pid := cmd.Process.Pid
	for unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	// The leader is dead at the least, so there is no failure to report.
	_ = killGroup(pid)
	return cmd.Wait()
}
