package gate

import (
	"context"
	"fmt"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the executor under attack.

// stopTimeout is how long an executor may take to answer a caller who has given
// up. One that takes longer is abandoned.
const stopTimeout = 5 * time.Second

// target is an executor with one child, so that every execution follows the
// one before it in the same process unless that process had to die.
type target struct {
	executor *executor.IsolateExecutor
}

func newTarget(ctx context.Context) (*target, error) {
	e, err := executor.New(ctx, executor.Config{Pool: pool.Config{Size: 1}})
	if err != nil {
		return nil, fmt.Errorf("starting the executor under attack: %w", err)
	}
	return &target{e}, nil
}

// pids returns the processes that belong to the executor.
func (t *target) pids() map[int]bool {
	pids := map[int]bool{}
	for _, child := range t.executor.Stats().Children {
		pids[child.PID] = true
	}
	return pids
}

// execute runs a request for at most the given time. It returns false when the
// executor does not answer even after that: then it is unusable.
func (t *target) execute(ctx context.Context, r executor.Request, within time.Duration) (*protocol.Result, bool) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	answer := make(chan *protocol.Result, 1)
	go func() {
		result, _ := t.executor.Execute(ctx, r) // the error is the result's fault
		answer <- result
	}()
	patience := time.NewTimer(within + stopTimeout)
	defer patience.Stop()
	select {
	case result := <-answer:
		return result, true
	case <-patience.C:
		return nil, false
	}
}

// close gives the executor up, also one that does not answer.
func (t *target) close() error {
	done := make(chan error, 1)
	go func() { done <- t.executor.Close() }()
	patience := time.NewTimer(stopTimeout)
	defer patience.Stop()
	select {
	case err := <-done:
		return err
	case <-patience.C:
		return fmt.Errorf("the executor did not close within %v", stopTimeout)
	}
}
