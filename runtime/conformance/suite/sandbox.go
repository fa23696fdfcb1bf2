package suite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the sandbox that tests run in, and what its faults mean for a test.

// memory is the limit of the heap, and of ArrayBuffers, of one test in bytes.
const memory = 128 << 20

// Limits returns the limits of a test that may take so much processor time. The
// wall clock leaves room for a busy machine.
func Limits(processor time.Duration) protocol.Limits {
	return protocol.Limits{
		Wall: min(4*processor, protocol.MaxLimits.Wall), CPU: min(processor, protocol.MaxLimits.CPU),
		Heap: memory, External: memory,
		Source: 16 << 20, Result: protocol.MaxLimits.Result, Reply: protocol.MaxLimits.Reply,
		LogBytes: 64 << 10, LogEntries: 1000,
	}
}

// NewExecutor starts an executor with so many processes, of that engine profile.
func NewExecutor(ctx context.Context, parallel int, profile string) (*executor.IsolateExecutor, error) {
	return executor.New(ctx, executor.Config{Pool: pool.Config{
		Size: parallel, QueueLength: parallel, QueueTimeout: 10 * time.Minute, Profile: profile,
		MaxHeap: memory, MaxExternal: memory, MaxFrame: protocol.MaxMaxFrame,
	}})
}

// attempts is how often a program is given to the sandbox when it was not run
// for reasons of the sandbox.
const attempts = 3

// Executed returns the [Execute] of an executor. A program that did not begin
// because its process ended before it was given the program is given again.
func Executed(e executor.Interface) Execute {
	return func(ctx context.Context, r executor.Request) (*protocol.Result, error) {
		for attempt := 1; ; attempt++ {
			result, _ := e.Execute(ctx, r) // the error is result.Fault
			var crash *protocol.WorkerCrashed
			unsent := errors.As(result.Fault, &crash) && crash.Phase == protocol.PhaseStarting
			switch {
			case !unsent && (result.Fault == nil || !foreign(result.Fault)):
				return result, nil
			case unsent && attempt < attempts:
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("the sandbox did not run a program: %w", result.Fault)
		}
	}
}

// foreign reports whether a fault is neither the program's nor a consequence of
// what it did to its process.
func foreign(f protocol.Fault) bool {
	switch f.(type) {
	case *protocol.WorkerCrashed, *protocol.ProtocolViolation:
		return false
	case *protocol.InvalidRequest, *protocol.SourceTooLarge:
		return false // a test whose text cannot be given to the sandbox
	}
	return f.Class() == protocol.ClassExecutor || f.Class() == protocol.ClassHost
}

// OutcomeOf returns what a fault means for the test whose program it ended.
func OutcomeOf(f protocol.Fault) Outcome {
	switch f.(type) {
	case *protocol.WorkerCrashed, *protocol.ProtocolViolation:
		return Crash
	case *protocol.DeadlineExceeded:
		return Timeout
	case *protocol.MemoryExceeded:
		return Memory
	}
	return Fail
}
