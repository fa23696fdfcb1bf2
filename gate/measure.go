package gate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/reports"
)

// This file owns taking the measurements and what the gate makes of them.

// MeasureOptions say what to measure.
type MeasureOptions struct {
	Short bool
	// Run selects benchmarks by name; nil selects all.
	Run      *regexp.Regexp
	Progress Progress
}

// Measure takes the measurements. The record is complete also when the error is
// not nil; what could not be measured is named as missing in it.
//
// A single run compares with nothing, so its verdicts are unknown, or unfit
// where two halves of the same samples differ by more than the tolerance.
func Measure(ctx context.Context, o MeasureOptions) (*reports.Bench, error) {
	thresholds, err := bench.Registered()
	if err != nil {
		return nil, err
	}
	selected := func(name string) bool { return o.Run == nil || o.Run.MatchString(name) }
	total := 0
	for _, r := range thresholds.Benchmarks {
		if selected(r.Name) {
			total += samplesOf(r, o.Short)
		}
	}
	compares := slices.ContainsFunc(thresholds.Sealing.Comparisons, func(p bench.Pairing) bool { return selected(p.Name) })
	if total == 0 && !compares {
		return nil, fmt.Errorf("no benchmark matches %v", o.Run)
	}
	var measured []bench.Measurement
	if total > 0 {
		o.Progress.Begin("bench", total)
		last := time.Now()
		measured, err = bench.Run(ctx, thresholds, bench.Options{Short: o.Short, Only: selected, Progress: func(name string, sample, of int) {
			o.Progress.Step(Step{Name: fmt.Sprintf("%s %d/%d", name, sample, of), Outcome: "sample", Good: true, Took: time.Since(last)})
			last = time.Now()
		}})
		o.Progress.End()
	}
	out := &reports.Bench{Thresholds: thresholds.Digest, Short: o.Short}
	taken := map[string]bool{}
	for i := range measured {
		taken[measured[i].Name] = true
		out.Measurements = append(out.Measurements, judgeMeasurement(&measured[i]))
	}
	for _, r := range thresholds.Benchmarks {
		if selected(r.Name) && !taken[r.Name] {
			out.Missing = append(out.Missing, r.Name)
		}
	}
	var compareErr error
	out.Sealing, compareErr = compare(ctx, thresholds, selected, o.Progress)
	if out.Sealing != nil {
		for _, c := range out.Sealing.Comparisons {
			taken[c.Name] = true
		}
	}
	for _, r := range thresholds.Sealing.Comparisons {
		if selected(r.Name) && !taken[r.Name] {
			out.Missing = append(out.Missing, r.Name)
		}
	}
	if err = errors.Join(err, compareErr); err != nil {
		return out, errors.Join(errors.New("some measurements could not be taken"), err)
	}
	return out, nil
}

func samplesOf(r bench.Registration, short bool) int {
	if short {
		return r.Short
	}
	return r.Samples
}

func judgeMeasurement(m *bench.Measurement) reports.Measurement {
	out := reports.Measurement{
		Name: m.Name, Unit: m.Unit, Better: m.Threshold.Better, Iterations: m.Iterations, Samples: m.Samples,
		Tolerance: m.Threshold.Tolerance, Verdict: reports.Unknown,
	}
	if spread, ok := m.Spread(); ok && spread > m.Threshold.Tolerance {
		out.Verdict = reports.Unfit
		out.Reason = fmt.Sprintf("two halves of the samples differ by %.0f %%, the tolerance is %.0f %%", 100*spread, 100*m.Threshold.Tolerance)
	}
	return out
}
