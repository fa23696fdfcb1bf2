package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/reports"
)

// This file owns taking the measurements: which, and what the record says of them.
// How samples are taken is in pairs.go, what is made of them in fitness.go.

// MeasureOptions say what to measure.
type MeasureOptions struct {
	// Short takes the smaller registered number of samples.
	Short bool
	// Run selects benchmarks and comparisons by name; nil selects all.
	Run *regexp.Regexp
	// Sampler is the command, with its arguments, of a process that calls
	// [bench.Serve]. Default: this binary with the argument "sampler", as the command
	// gate has it.
	Sampler []string
	// Progress is told of every sample; it must not be nil.
	Progress Progress
}

// Measure takes the measurements with two samplers of the same build, in pairs that
// alternate, so that what the machine makes of no difference is known of each figure.
//
// The result is nil when nothing could be begun: the thresholds cannot be read, or
// nothing matches. Otherwise it is complete also when the error is not nil: what
// could not be measured is named as missing in it, which fails the gate, and what
// this machine lacks the means for has the verdict unsupported.
func Measure(ctx context.Context, o MeasureOptions) (*reports.Bench, error) {
	thresholds, err := bench.Registered()
	if err != nil {
		return nil, err
	}
	if len(o.Sampler) == 0 {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("finding this binary, which takes the samples: %w", err)
		}
		o.Sampler = []string{self, "sampler"}
	}
	selected := func(name string) bool { return o.Run == nil || o.Run.MatchString(name) }
	var series []*series
	for _, r := range thresholds.Benchmarks {
		if selected(r.Name) {
			series = append(series, newSeries(r, o.Short))
		}
	}
	compares := false
	for _, p := range thresholds.Sealing.Comparisons {
		compares = compares || selected(p.Name)
	}
	if len(series) == 0 && !compares {
		return nil, fmt.Errorf("no benchmark matches %v", o.Run)
	}
	errs := []error{takeAll(ctx, series, o.Sampler, o.Progress)}
	out := &reports.Bench{Thresholds: thresholds.Digest, Short: o.Short}
	for _, s := range series {
		if s.failure != nil {
			out.Missing = append(out.Missing, s.registered.Name)
			errs = append(errs, fmt.Errorf("benchmark %s: %w", s.registered.Name, s.failure))
			continue
		}
		out.Measurements = append(out.Measurements, s.measurements()...)
	}
	var compareErr error
	out.Sealing, compareErr = compare(ctx, thresholds, selected, o.Progress)
	compared := map[string]bool{}
	if out.Sealing != nil {
		for _, c := range out.Sealing.Comparisons {
			compared[c.Name] = true
		}
	}
	for _, r := range thresholds.Sealing.Comparisons {
		if selected(r.Name) && !compared[r.Name] {
			out.Missing = append(out.Missing, r.Name)
		}
	}
	if err := errors.Join(append(errs, compareErr)...); err != nil {
		return out, fmt.Errorf("some measurements could not be taken:\n%w", err)
	}
	return out, nil
}
