package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// This file owns finding what a command leaves running.

// adoptOrphans makes this process the parent of every descendant whose own
// parent ends: PR_SET_CHILD_SUBREAPER(2const).
func adoptOrphans() error {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// orphans returns the children of this process that run, after a short time in
// which those that have been killed may end, and reaps those that have ended.
func orphans(t *testing.T) []string {
	t.Helper()
	deadline := time.Now().Add(2 * time.Second)
	for {
		left := children(t)
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func children(t *testing.T) []string {
	t.Helper()
	// No other child of this process is waited for now, so any may be reaped.
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if pid <= 0 || err != nil {
			break
		}
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Fatalf("/proc cannot be listed: %v", err)
	}
	var out []string
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended meanwhile
		}
		// pid (comm) state ppid …; comm may hold anything: proc_pid_stat(5).
		end := bytes.LastIndexByte(text, ')')
		fields := bytes.Fields(text[end+1:])
		if parent, _ := strconv.Atoi(string(fields[1])); parent == os.Getpid() {
			out = append(out, fmt.Sprintf("%s %s", text[:end+1], fields[0]))
		}
	}
	return out
}
