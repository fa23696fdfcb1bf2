package gate

import (
	"context"
	"fmt"
	"time"

	"github.com/isogate/isogate/gate/walk"
	"github.com/isogate/isogate/reports"
)

// This file owns the walk as a phase of a run, and its record.

// Walk walks over the built-ins and returns its record. What is wrong is in the
// record; the error says that the walk could not be done.
func Walk(ctx context.Context, o walk.Options, p Progress) (*reports.Walk, error) {
	begun := false
	last := time.Now()
	o.Done = func(done, of int) {
		if !begun {
			p.Begin("walk", 10)
			begun = true
		}
		if done*10/of > (done-1)*10/of {
			p.Step(Step{Name: fmt.Sprintf("%d of %d calls", done, of), Outcome: "done", Good: true, Took: time.Since(last)})
			last = time.Now()
		}
	}
	s, err := walk.Run(ctx, o)
	if begun {
		p.End()
	}
	if s == nil {
		return nil, err
	}
	return recordOf(s), err
}

func recordOf(s *walk.Summary) *reports.Walk {
	lines := func(endings []walk.Ending) []string {
		var out []string
		for _, e := range endings {
			out = append(out, fmt.Sprintf("%s after %v: %s", e.Case, e.Took.Round(time.Millisecond), e.Fault))
		}
		return out
	}
	return &reports.Walk{
		Seed: s.Seed, Functions: s.Functions, Cases: s.Cases, Possible: s.Possible,
		Values: s.Values, GuestErrors: s.GuestErrors, Interrupted: s.Interrupted, Killed: s.Killed, Memory: s.Memory,
		OtherLimits: s.OtherLimits, Uninterruptible: s.Uninterruptible,
		Crashes: lines(s.Crashes), Wrong: lines(s.Wrong), LongestMS: milliseconds(s.Longest),
	}
}
