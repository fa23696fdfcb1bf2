package gate

import (
	"context"
	"errors"
	"time"

	"github.com/isogate/isogate/gate/walk"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file owns the whole run: verify, a sample of the walk, controls,
// measurements, one record.

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
	// Since and Fresh are those of [ControlOptions].
	Since string
	Fresh bool
	// Short takes fewer samples of the measurements.
	Short    bool
	Progress Progress
}

// NewRecord returns a record with the facts about build and host.
func NewRecord() *reports.Record {
	return &reports.Record{Schema: reports.Schema, Started: time.Now().UTC().Truncate(time.Millisecond), Build: BuildFacts(), Host: HostFacts()}
}

// Run verifies every claim, runs every control and takes the measurements. What
// is wrong is in the record; the error says that something could not be done.
func Run(ctx context.Context, m *threats.Model, o Options) (*reports.Record, error) {
	record := NewRecord()
	claims, err := Verify(ctx, VerifyOptions{Model: m, Seed: o.Seed, Repeat: o.Repeat, Progress: o.Progress})
	if err != nil {
		return record, err
	}
	record.Verify = reports.Verify{Seed: o.Seed, Repeat: max(o.Repeat, 1)}
	record.Claims = claims
	for _, n := range m.NonClaims {
		record.NonClaims = append(record.NonClaims, reports.NonClaim{ID: n.ID, Title: n.Title, Statement: oneLine(n.Statement), Mitigation: oneLine(n.Mitigation)})
	}
	controls, controlErr := Controls(ctx, ControlOptions{
		Model: m, Root: o.Root, Cache: o.Cache, Since: o.Since, Fresh: o.Fresh, Seed: o.Seed, Parallel: o.Parallel, Progress: o.Progress,
	})
	if controls != nil {
		applyControls(record.Claims, controls.Claims)
		record.LeftOut = append(record.LeftOut, controls.LeftOut...)
	}
	walked, walkErr := Walk(ctx, walk.Options{Seed: o.Seed, Sample: walkSample}, o.Progress)
	record.Walk = walked
	var measureErr error
	record.Bench, measureErr = Measure(ctx, MeasureOptions{Short: o.Short, Progress: o.Progress})
	record.DurationMS = time.Since(record.Started).Milliseconds()
	return record, errors.Join(controlErr, walkErr, measureErr)
}
