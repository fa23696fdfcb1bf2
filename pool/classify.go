package pool

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns what the death of a child means: from its exit status or
// signal to a fault, and to a text for logs.

// deathFault returns the fault of an execution whose child ended by itself.
// stderr is the head of what the child wrote to its standard error. unsent: it
// had not been given the whole request, so none of the program has run. killedAt is
// the limit at which the kernel killed it for its memory, 0 if it did not.
func deathFault(state *os.ProcessState, stderr string, unsent bool, limits *protocol.Limits, dataLimit, killedAt int64) protocol.Fault {
	status, signal := exitOf(state)
	switch {
	case unsent:
		return &protocol.WorkerCrashed{Status: status, Signal: signal, Phase: protocol.PhaseStarting}
	case killedAt > 0:
		return &protocol.MemoryExceeded{Kind: protocol.MemoryProcess, Limit: killedAt}
	//gate:protects process-memory
	case status == sandbox.ExitHeap:
		return &protocol.MemoryExceeded{Kind: protocol.MemoryHeap, Limit: limits.Heap}
	case status == sandbox.ExitProcess, gaveUp(status, signal) && saysOutOfMemory(stderr):
		return &protocol.MemoryExceeded{Kind: protocol.MemoryProcess, Limit: dataLimit}
	case status == 2 && strings.Contains(stderr, "fatal error: stack overflow"):
		// Go's runtime ended the translation of a program, see package sandbox.
		return &protocol.StackExceeded{}
	}
	return &protocol.WorkerCrashed{Status: status, Signal: signal, Phase: protocol.PhaseRunning}
}

// gaveUp reports whether this is how a process ends that finds it cannot go on:
// exit status 2 of Go's runtime, abort of the C++ library, a trap of the engine.
func gaveUp(status int, signal string) bool {
	return status == 2 || signal == "SIGABRT" || signal == "SIGTRAP" || signal == "SIGILL"
}

// saysOutOfMemory reports whether Go's runtime in the child, the C++ library's
// or the engine gave up because the kernel gave it no more memory. The text is
// the child's, and believing it costs nothing: a child may state memory_exceeded
// anyway.
func saysOutOfMemory(stderr string) bool {
	for _, text := range []string{"out of memory", "cannot allocate memory", "failed to create new OS thread", "std::bad_alloc"} {
		if strings.Contains(stderr, text) {
			return true
		}
	}
	return false
}

// exitOf returns the exit status, or the name of the signal that ended the process
// or would have, had it not been the first of its pid namespace.
func exitOf(state *os.ProcessState) (status int, signal string) {
	if state == nil {
		return -1, ""
	}
	wait, ok := state.Sys().(syscall.WaitStatus)
	if ok && wait.Signaled() {
		if name := unix.SignalName(wait.Signal()); name != "" {
			return -1, name
		}
		return -1, fmt.Sprint(int(wait.Signal()))
	}
	if name := unix.SignalName(syscall.Signal(state.ExitCode() - sandbox.ExitSignal)); name != "" {
		return -1, name
	}
	return state.ExitCode(), ""
}

// describeExit returns how a process ended, for logs and start-up errors.
func describeExit(state *os.ProcessState) string {
	if state == nil {
		return "it was never started"
	}
	status, signal := exitOf(state)
	if signal == "SIGSYS" {
		return "signal SIGSYS: it made a system call that its filter refuses"
	}
	if signal != "" {
		return "signal " + signal
	}
	text := fmt.Sprintf("exit status %d", status)
	if why, ok := child.ExplainExit(status); ok {
		text += ": " + why
	}
	return text
}
