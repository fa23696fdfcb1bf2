package main

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// This file owns the end of a command's process group on Linux.

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
