package main

import (
	"errors"

	"github.com/isogate/isogate/protocol"
)

// This file owns the exit status: which outcome gives which.

const (
	statusValue       = 0
	statusProgram     = 1
	statusUsage       = 2
	statusLimit       = 3
	statusExecutor    = 4
	statusInterrupted = 130 // as a shell reports a process that SIGINT ended
)

// setupError is a failure of the executor before there was a request to refuse.
type setupError struct{ err error }

func (e *setupError) Error() string { return e.err.Error() }
func (e *setupError) Unwrap() error { return e.err }

// exitStatus returns the exit status for what a command returned. An error that
// is neither a fault nor a failed set-up is the user's: a flag, a file, an input.
func exitStatus(err error) int {
	if err == nil {
		return statusValue
	}
	var cancelled *protocol.Cancelled
	if errors.As(err, &cancelled) {
		return statusInterrupted
	}
	var fault protocol.Fault
	if errors.As(err, &fault) {
		switch fault.Class() {
		case protocol.ClassProgram:
			return statusProgram
		case protocol.ClassLimit:
			return statusLimit
		case protocol.ClassHost:
			return statusUsage
		}
		return statusExecutor
	}
	var setup *setupError
	if errors.As(err, &setup) {
		return statusExecutor
	}
	return statusUsage
}
