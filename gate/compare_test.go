package gate

import (
	"math"
	"strings"
	"testing"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/reports"
)

// This file tests the verdicts on comparisons.

// threeLooks are the numbers of pairs that verdicts are made on.
var threeLooks = bench.Sealing{First: 24, Most: 96}

// pairedAround returns n pairs whose ratios lie evenly within spread of the middle.
func pairedAround(middle, spread float64, n int, bounds bench.Bounds) *bench.Paired {
	p := &bench.Paired{Name: "SealedStart", Unit: "ns/op", Registered: bench.Pairing{Name: "SealedStart", Iterations: 1, Ratio: bounds}}
	for i := range n {
		p.Unsealed = append(p.Unsealed, 1e6)
		p.Sealed = append(p.Sealed, 1e6*(middle+spread*(2*float64(i)/float64(n-1)-1)))
	}
	return p
}

func TestJudgeComparison(t *testing.T) {
	atMost, around := bench.Bounds{Least: 0, Most: 1.25}, bench.Bounds{Least: 0.95, Most: 1.05}
	tests := []struct {
		name           string
		middle, spread float64
		pairs          int
		bounds         bench.Bounds
		want           reports.Verdict
	}{
		{"well below the bound", 1.1, 0.1, 24, atMost, reports.Same},
		{"faster where only slower is bounded", 0.2, 0.05, 24, atMost, reports.Same},
		{"well above the bound", 1.4, 0.1, 24, atMost, reports.Worse},
		{"at the bound", 1.25, 0.1, 24, atMost, reports.Unknown},
		{"below the bound, too widely spread", 1.2, 0.5, 24, atMost, reports.Unknown},
		{"the same with more pairs", 1.2, 0.1, 96, atMost, reports.Same},
		{"the same", 1, 0.03, 24, around, reports.Same},
		{"slower by more than the margin", 1.1, 0.02, 24, around, reports.Worse},
		{"faster by more than the margin", 0.9, 0.02, 24, around, reports.Better},
		// An interval that contains 1 shows nothing when it is wide.
		{"noise", 1, 0.5, 24, around, reports.Unknown},
		{"too few pairs for an interval", 1, 0.001, 4, around, reports.Unknown},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c := judgeComparison(pairedAround(tc.middle, tc.spread, tc.pairs, tc.bounds), threeLooks)
			if c.Verdict != tc.want || (c.Verdict == reports.Worse) != (c.Reason != "") {
				t.Errorf("the verdict is %s (%s), must be %s: ratio %v, interval %s", c.Verdict, c.Reason, tc.want, c.Ratio, c.Interval())
			}
			if math.Abs(c.Ratio-tc.middle) > 1e-9 || c.Low > c.Ratio || c.High < c.Ratio || math.IsInf(c.High, 0) {
				t.Errorf("ratio %v, from %v to %v", c.Ratio, c.Low, c.High)
			}
			if c.Confidence < 1-wrongShare/3 {
				t.Errorf("three looks, each at %v", c.Confidence)
			}
		})
	}
}

func TestUndecided(t *testing.T) {
	noisy := undecided(judgeComparison(pairedAround(1, 0.5, 96, bench.Bounds{Least: 0.95, Most: 1.05}), threeLooks))
	if noisy.Verdict != reports.Unfit || !strings.Contains(noisy.Reason, "5 % is to be told apart") {
		t.Errorf("noise: %s, %s", noisy.Verdict, noisy.Reason)
	}
	close := undecided(judgeComparison(pairedAround(1.05, 0.05, 96, bench.Bounds{Least: 0.95, Most: 1.05}), threeLooks))
	if close.Verdict != reports.Unknown || !strings.Contains(close.Reason, "contains a bound") {
		t.Errorf("a ratio at the bound: %s, %s", close.Verdict, close.Reason)
	}
}
