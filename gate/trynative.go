package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
)

// This file owns trying an attack that is written in Go.

// nativePatience is how long an attack in Go may take.
const nativePatience = 30 * time.Second

func (s *stage) tryNative(ctx context.Context, a native.Attack) (reports.Attack, error) {
	out := (&trial{native: a}).describe()
	out.Evidence.WithinMS = milliseconds(nativePatience)
	for range s.repeat {
		out.Evidence.Attempts++
		watch := watchResident(othersBelow(s.subject.pids), searchInterval)
		start := time.Now()
		outcome, wrong, host := s.onceNative(ctx, a)
		out.Evidence.WallMS = max(out.Evidence.WallMS, milliseconds(time.Since(start)))
		out.Evidence.PeakResident = max(out.Evidence.PeakResident, watch.end())
		keepNative(&out.Evidence, host)
		after, err := s.postcondition(ctx, "")
		if err != nil {
			return out, err
		}
		if len(after) > 0 && (outcome == reports.AttackHeld || outcome == reports.AttackUnsupported) {
			outcome = reports.AttackViolated
		}
		if outcome != reports.AttackHeld {
			out.Outcome, out.Wrong = outcome, append(wrong, after...)
			return out, nil
		}
	}
	return out, nil
}

// keepNative adds what an attack in Go noted and was given to the evidence: the most
// that any of its executions took, and the last fault, or the last value where none
// ended in one.
func keepNative(e *reports.Evidence, host *native.Host) {
	e.Notes = host.Notes()
	results := host.Observed()
	var last *protocol.Result
	for _, result := range results {
		keepUsage(e, result)
		if last == nil || last.Fault == nil || result.Fault != nil {
			last = result
		}
	}
	if last != nil {
		keepOutcome(e, last)
	}
}

// onceNative carries an attack out and searches what it was given for leaks.
func (s *stage) onceNative(ctx context.Context, a native.Attack) (outcome reports.Outcome, wrong []string, host *native.Host) {
	ctx, cancel := context.WithTimeout(ctx, nativePatience)
	defer cancel()
	host = &native.Host{Binary: s.binary, CanaryName: canaryVariable, Profile: s.kind.Profile, ThroughServer: s.kind.ThroughServer}
	if started, ok := s.subject.target.(interface{ Snapshot() *pool.Snapshot }); ok {
		host.Snapshot = started.Snapshot()
	}
	ended := make(chan error, 1)
	go func() { ended <- errors.Join(a.Run(ctx, host), closing(host)) }()
	patience := time.NewTimer(nativePatience + stopTimeout)
	defer patience.Stop()
	var err error
	select {
	case err = <-ended:
	case <-patience.C:
		err = &native.Violation{What: fmt.Sprintf("the attack did not end within %v", nativePatience)}
	}
	var violation *native.Violation
	switch {
	case err == nil:
		outcome = reports.AttackHeld
	case errors.As(err, &violation):
		outcome = reports.AttackViolated
	case errors.Is(err, native.ErrUnsupported):
		outcome = reports.AttackUnsupported
	default:
		outcome = reports.AttackFailed
	}
	if err != nil {
		wrong = append(wrong, err.Error())
	} else if s.kind.ThroughServer && !a.Network && !host.WentThroughServer() {
		outcome, wrong = reports.AttackUnsupported, []string{"the attack gives its executors no request that could take the way through a server"}
	}
	if leaks := s.surroundings.leaks("", nil, everything(host.Observed()...)...); len(leaks) > 0 {
		outcome, wrong = reports.AttackViolated, append(wrong, leaks...)
	}
	return outcome, wrong, host
}

// closing closes what the attack left open; that it cannot be closed is a violation.
func closing(h *native.Host) error {
	if err := h.Close(); err != nil {
		return &native.Violation{What: "closing failed: " + err.Error()}
	}
	return nil
}
