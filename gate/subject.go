package gate

import (
	"context"
	"fmt"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns dealing with a target that may not answer.

// stopTimeout is how long a target may take to answer a caller who has given up.
// One that takes longer is abandoned.
const stopTimeout = 5 * time.Second

// subject is a target, guarded by clocks of the gate's own.
type subject struct{ target Target }

func newSubject(ctx context.Context, kind TargetKind) (*subject, error) {
	t, err := kind.Start(ctx)
	if err != nil {
		return nil, fmt.Errorf("starting the target %s: %w", kind.Name, err)
	}
	return &subject{t}, nil
}

// pids returns the processes that belong to the target.
func (s *subject) pids() map[int]bool {
	pids := map[int]bool{}
	for _, pid := range s.target.Processes() {
		pids[pid] = true
	}
	return pids
}

// execute runs a request for at most the given time. It returns false when the
// target does not answer even after that: then it is unusable.
func (s *subject) execute(ctx context.Context, r executor.Request, within time.Duration) (*protocol.Result, bool) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	answer := make(chan *protocol.Result, 1)
	go func() {
		result, _ := s.target.Execute(ctx, r) // the error is the result's fault
		answer <- result
	}()
	patience := time.NewTimer(within + stopTimeout)
	defer patience.Stop()
	select {
	case result := <-answer:
		if result == nil {
			// Against the contract of Execute; it is judged like any other wrong answer.
			result = &protocol.Result{Fault: &protocol.ProtocolViolation{What: "the target returned no result"}}
		}
		return result, true
	case <-patience.C:
		return nil, false
	}
}

// close gives the target up, also one that does not answer.
func (s *subject) close() error {
	done := make(chan error, 1)
	go func() { done <- s.target.Close() }()
	patience := time.NewTimer(stopTimeout)
	defer patience.Stop()
	select {
	case err := <-done:
		return err
	case <-patience.C:
		return fmt.Errorf("the target did not close within %v", stopTimeout)
	}
}
