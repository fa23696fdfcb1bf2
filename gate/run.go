package gate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/isogate/isogate/gate/walk"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns the whole run: verify, controls, a sample of the walk, measurements,
// one record; and what of it is left out when the time is limited.

// walkSample is how many hostile calls of built-ins a whole run makes; "gate
// walk" makes them all.
const walkSample = 400

// Options say what a whole run does.
type Options struct {
	// Root is the module's root, Cache the folder that mutants are kept in.
	Root, Cache string
	Seed        uint64
	Repeat      int
	Parallel    int
	// Target is what is attacked; the zero value means [DefaultTarget]. For another only
	// the attacks run: everything else is about the default one.
	Target TargetKind
	// Since and Fresh are those of [ControlOptions].
	Since string
	Fresh bool
	// Short takes fewer samples of the measurements.
	Short bool
	// Budget is how long the run may take; 0 means as long as it takes. Attacks run
	// always, and whole. Of the rest, in order of value (controls, those first that the
	// last commit or what is not committed may concern; the sample of the walk; the
	// measurements), what does not fit any more is left out, and the record says so.
	// Control by control that is decided; the others run whole or not at all.
	Budget time.Duration
	// Release makes what was left out fail.
	Release bool
	// Before is the record of an earlier run, from which is estimated how long each part
	// takes; nil means that there is none.
	Before   *reports.Record
	Progress Progress
}

// The parts of a run, in the order of their value.
const (
	partVerify   = "verify"
	partControls = "controls"
	partWalk     = "walk"
	partMeasure  = "measurements"
)

// firstGuess is how long each part takes on two cores, where no run is known.
var firstGuess = []expected{
	{partVerify, 4 * time.Minute}, {partControls, 6 * time.Minute}, {partWalk, 20 * time.Second}, {partMeasure, 2 * time.Minute},
}

// NewRecord returns a record with the facts about build and host.
func NewRecord() *reports.Record {
	return &reports.Record{Schema: reports.Schema, Started: time.Now().UTC().Truncate(time.Millisecond), Build: BuildFacts(), Host: HostFacts()}
}

// Run verifies every claim, runs every control and takes the measurements. What
// is wrong is in the record; the error says that something could not be done.
func Run(ctx context.Context, m *threats.Model, o Options) (*reports.Record, error) {
	if o.Target.Start == nil {
		var err error
		if o.Target, err = FindTarget(DefaultTarget); err != nil {
			return NewRecord(), err
		}
	}
	if o.Since != "" {
		// A revision that is none must not be found after all attacks.
		if _, err := changedSince(ctx, o.Root, o.Since); err != nil {
			return NewRecord(), fmt.Errorf("--since: %w", err)
		}
	}
	r := &wholeRun{Options: o, record: NewRecord(), begun: time.Now(), parts: estimates(o.Before)}
	r.record.Release = o.Release
	if b := &r.record.Build; b.Revision == "" {
		// A binary that was built without it; the run is of the source under Root.
		b.Revision, b.Modified = Revision(ctx, o.Root), changed(ctx, o.Root)
	}
	if o.Target.Profile != "" {
		r.record.Build.Profile = o.Target.Profile
	}
	if p, ok := o.Progress.(planned); ok {
		parts := r.parts
		if o.Target.Name != DefaultTarget {
			parts = parts[:1]
		}
		p.plan(parts)
		defer p.plan(nil)
	}
	err := r.run(ctx, m)
	r.record.DurationMS = time.Since(r.record.Started).Milliseconds()
	return r.record, err
}

// wholeRun is one call of Run.
type wholeRun struct {
	Options
	record *reports.Record
	begun  time.Time
	parts  []expected
}

func (r *wholeRun) run(ctx context.Context, m *threats.Model) error {
	for _, n := range m.NonClaims {
		r.record.NonClaims = append(r.record.NonClaims, reports.NonClaim{ID: n.ID, Title: n.Title, Statement: oneLine(n.Statement), Mitigation: oneLine(n.Mitigation)})
	}
	err := r.do(partVerify, func() (err error) {
		r.record.Claims, err = Verify(ctx, VerifyOptions{Model: m, Seed: r.Seed, Repeat: r.Repeat, Target: r.Target, Progress: r.Progress})
		return err
	})
	if err != nil {
		return err
	}
	r.record.Verify = reports.Verify{Seed: r.Seed, Repeat: max(r.Repeat, 1), Target: r.Target.Name, Parallel: 1}
	if r.Target.Name != DefaultTarget {
		r.leave("controls, walk and measurements, which are about the target %s", DefaultTarget)
		return nil
	}
	var errs []error
	if deadline := r.deadline(); !deadline.IsZero() && !time.Now().Before(deadline) {
		r.leave("all controls: the attacks took the whole budget of %v", r.Budget)
	} else {
		errs = append(errs, r.do(partControls, func() error { return r.controls(ctx, m, deadline) }))
	}
	if r.fits(partWalk) {
		errs = append(errs, r.do(partWalk, func() (err error) {
			r.record.Walk, err = Walk(ctx, walk.Options{Seed: r.Seed, Sample: walkSample}, r.Progress)
			return err
		}))
	}
	if r.fits(partMeasure) {
		errs = append(errs, r.do(partMeasure, func() (err error) {
			r.record.Bench, err = Measure(ctx, MeasureOptions{Short: r.Short, Progress: r.Progress})
			return err
		}))
	}
	return errors.Join(errs...)
}

// controls runs the controls and puts their outcomes into the record.
func (r *wholeRun) controls(ctx context.Context, m *threats.Model, deadline time.Time) error {
	controls, err := Controls(ctx, ControlOptions{
		Model: m, Root: r.Root, Cache: r.Cache, Since: r.Since, Fresh: r.Fresh, Until: deadline, Seed: r.Seed, Parallel: r.Parallel, Progress: r.Progress,
	})
	if controls != nil {
		applyControls(r.record.Claims, controls.Claims)
		r.record.LeftOut = append(r.record.LeftOut, controls.LeftOut...)
	}
	return err
}

// do carries out a part and notes how long it took.
func (r *wholeRun) do(part string, f func() error) error {
	if p, ok := r.Progress.(planned); ok {
		p.enter(part)
	}
	start := time.Now()
	err := f()
	r.record.Phases = append(r.record.Phases, reports.Phase{Name: part, DurationMS: time.Since(start).Milliseconds()})
	return err
}

// deadline returns when the budget is used up; zero when there is none.
func (r *wholeRun) deadline() time.Time {
	if r.Budget <= 0 {
		return time.Time{}
	}
	return r.begun.Add(r.Budget)
}

// fits reports whether there is time for a part that is not divided. What does not fit
// is left out.
func (r *wholeRun) fits(part string) bool {
	if r.Budget <= 0 {
		return true
	}
	left := time.Until(r.deadline())
	for _, p := range r.parts {
		if p.name == part && p.takes > left {
			r.leave("%s: they take about %v, and %v was left of the budget of %v", partTitles[part],
				p.takes.Round(time.Second), max(left, 0).Round(time.Second), r.Budget)
			return false
		}
	}
	return true
}

// partTitles say what is left out with a part.
var partTitles = map[string]string{partWalk: "hostile calls of every function", partMeasure: "the measurements"}

// leave says that something is left out.
func (r *wholeRun) leave(format string, args ...any) {
	r.record.LeftOut = append(r.record.LeftOut, fmt.Sprintf(format, args...))
}

// estimates returns how long each part is expected to take: as long as in the earlier
// run, or a first guess.
func estimates(before *reports.Record) []expected {
	out := append([]expected(nil), firstGuess...)
	if before == nil {
		return out
	}
	for i := range out {
		for _, phase := range before.Phases {
			if phase.Name == out[i].name {
				out[i].takes = time.Duration(phase.DurationMS) * time.Millisecond
			}
		}
	}
	return out
}
