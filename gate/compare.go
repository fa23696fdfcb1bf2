package gate

import (
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/perf/benchmath"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/reports"
)

// This file owns the verdicts on comparisons.

// wrongShare is how often a verdict on a comparison may be wrong, all its looks
// together.
const wrongShare = 0.05

// compare makes the comparisons that are selected.
func compare(ctx context.Context, t *bench.Thresholds, selected func(string) bool, p Progress) (*reports.Sealing, error) {
	phase := 0
	last := time.Now()
	c, err := bench.Compare(ctx, t, bench.CompareOptions{
		Only: selected,
		Decided: func(c *bench.Compared) bool {
			for _, pairs := range c.Pairs {
				if judgeComparison(pairs, t.Sealing).Verdict == reports.Unknown {
					return false
				}
			}
			return true
		},
		Progress: func(pair, of int) {
			// How many pairs it takes is known at the end only, so each look is a
			// phase of its own.
			if phase != of {
				if phase > 0 {
					p.End()
				}
				p.Begin("sealing", of-pair+1)
				phase = of
			}
			p.Step(Step{Name: fmt.Sprintf("pair %d of %d", pair, of), Outcome: "taken", Good: true, Took: time.Since(last)})
			last = time.Now()
		},
	})
	if phase > 0 {
		p.End()
	}
	if c == nil {
		return nil, err
	}
	out := &reports.Sealing{InForce: c.InForce, Measures: c.Measures}
	for _, pairs := range c.Pairs {
		judged := judgeComparison(pairs, t.Sealing)
		if judged.Verdict == reports.Unknown {
			judged = undecided(judged)
		}
		out.Comparisons = append(out.Comparisons, judged)
	}
	return out, err
}

// judgeComparison says where the ratio is: within its bounds, outside them, or not
// known, when the interval that holds the median contains one of the bounds.
func judgeComparison(p *bench.Paired, s bench.Sealing) reports.Comparison {
	confidence := 1 - wrongShare/float64(len(s.Looks()))
	summary := benchmath.AssumeNothing.Summary(benchmath.NewSample(p.Ratios(), &benchmath.DefaultThresholds), confidence)
	c := reports.Comparison{
		Name: p.Name, Unit: p.Unit, Iterations: p.Registered.Iterations, Sealed: p.Sealed, Unsealed: p.Unsealed,
		Least: p.Registered.Ratio.Least, Most: p.Registered.Ratio.Most,
		Ratio: summary.Center, Low: summary.Lo, High: summary.Hi, Confidence: summary.Confidence,
	}
	if len(summary.Warnings) > 0 { // too few pairs: the interval is infinite
		c.Low, c.High = 0, math.MaxFloat64
	}
	switch {
	case c.Low >= c.Least && c.High <= c.Most:
		c.Verdict = reports.Same
	case c.Low > c.Most:
		c.Verdict = reports.Worse
		c.Reason = fmt.Sprintf("sealed costs %.3f of unsealed (%s), must be %s", c.Ratio, c.Interval(), c.Bounds())
	case c.High < c.Least:
		c.Verdict = reports.Better
	default:
		c.Verdict = reports.Unknown
	}
	return c
}

// undecided says why the most pairs did not decide: the machine is too noisy, or
// the ratio too close to a bound.
func undecided(c reports.Comparison) reports.Comparison {
	if half := (c.High - c.Low) / 2; half > c.Most-1 {
		c.Verdict = reports.Unfit
		c.Reason = fmt.Sprintf("the interval is ±%.0f %% wide, and %.0f %% is to be told apart", 100*half, 100*(c.Most-1))
		return c
	}
	c.Reason = "the interval contains a bound"
	return c
}
