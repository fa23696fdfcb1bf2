package gate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/reports"
)

// This file tests the verdicts on measurements of one build.

// sidesAround returns n samples for each of two sides, which lie within the share of
// noise around 100, those of the second side times factor.
func sidesAround(noise, factor float64, n int) (a, b []float64) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() float64 { return 100 * (1 + noise*(2*random.Float64()-1)) }
	for range n {
		a, b = append(a, draw()), append(b, factor*draw())
	}
	return a, b
}

func TestCalibrate(t *testing.T) {
	tests := []struct {
		name          string
		noise, factor float64
		pairs         int
		threshold     bench.Threshold
		want          reports.Verdict
		reason        string
	}{
		{"quiet", 0.02, 1, 10, bench.Threshold{Better: "lower", Tolerance: 0.1}, reports.Unknown, ""},
		{"the fewest pairs", 0.02, 1, 6, bench.Threshold{Better: "lower", Tolerance: 0.1}, reports.Unknown, ""},
		{"too few pairs", 0.02, 1, 5, bench.Threshold{Better: "lower", Tolerance: 0.1}, reports.Unfit, "5 pairs are too few for an interval"},
		{"noise", 0.5, 1, 10, bench.Threshold{Better: "lower", Tolerance: 0.1}, reports.Unfit, "10 % is to be told apart"},
		{"the same noise, a wide tolerance", 0.5, 1, 16, bench.Threshold{Better: "lower", Tolerance: 2}, reports.Unknown, ""},
		{"the sides differ", 0.01, 1.3, 10, bench.Threshold{Better: "lower", Tolerance: 0.1}, reports.Unfit, "this build differs from itself: 1."},
		{"the sides differ by less than the tolerance", 0.001, 1.05, 10, bench.Threshold{Better: "lower", Tolerance: 0.1}, reports.Unknown, ""},
		{"beyond the ceiling", 0.02, 1, 10, bench.Threshold{Better: "lower", Tolerance: 0.1, Ceiling: 90}, reports.Worse, "beyond the 90 that no machine may pass"},
		{"below the ceiling", 0.02, 1, 10, bench.Threshold{Better: "lower", Tolerance: 0.1, Ceiling: 110}, reports.Unknown, ""},
		{"beyond the ceiling on an unfit machine", 0.5, 1, 10, bench.Threshold{Better: "lower", Tolerance: 0.1, Ceiling: 20}, reports.Worse, "beyond"},
		{"less than the least", 0.02, 1, 10, bench.Threshold{Better: "higher", Tolerance: 0.1, Ceiling: 110}, reports.Worse, "beyond the 110"},
		{"more than the least", 0.02, 1, 10, bench.Threshold{Better: "higher", Tolerance: 0.1, Ceiling: 90}, reports.Unknown, ""},
		{"equal counts", 0, 1, 1, bench.Threshold{Better: "lower", Tolerance: 0.01, Exact: true}, reports.Unknown, ""},
		{"counts that differ a little", 0, 1.005, 1, bench.Threshold{Better: "lower", Tolerance: 0.01, Exact: true}, reports.Unknown, ""},
		{"counts that differ", 0, 1.5, 1, bench.Threshold{Better: "lower", Tolerance: 0.01, Exact: true}, reports.Unfit, "counts of the same work are 100 to 150, the tolerance is 1 %"},
		{"a count beyond the ceiling", 0, 1, 2, bench.Threshold{Better: "lower", Tolerance: 0.01, Exact: true, Ceiling: 99}, reports.Worse, "beyond"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			a, b := sidesAround(tc.noise, tc.factor, tc.pairs)
			s := &series{registered: bench.Registration{Name: "WarmRun", Iterations: 40, Units: map[string]bench.Threshold{"ns/op": tc.threshold}}, units: []string{"ns/op"}}
			for i := range a {
				s.samples[0], s.samples[1] = append(s.samples[0], []float64{a[i]}), append(s.samples[1], []float64{b[i]})
			}
			m := s.measurements()[0]
			if m.Verdict != tc.want || !strings.Contains(m.Reason, tc.reason) || (tc.reason == "") != (m.Reason == "") {
				t.Errorf("the verdict is %s (%s), must be %s (%s); calibration %+v", m.Verdict, m.Reason, tc.want, tc.reason, m.Calibration)
			}
			if len(m.Samples) != 2*tc.pairs || m.Samples[0] != a[0] || m.Samples[1] != b[0] {
				t.Errorf("samples %v", m.Samples)
			}
			if m.Exact != tc.threshold.Exact || (m.Calibration == nil) != m.Exact || m.Ceiling != tc.threshold.Ceiling || m.Iterations != 40 {
				t.Errorf("%+v", m)
			}
		})
	}
}

// A sample far from the others is named, and counts like every other.
func TestOutlierIsKept(t *testing.T) {
	a, b := sidesAround(0.02, 1, 10)
	b[3] = 900
	m := reports.Measurement{Better: "lower", Tolerance: 0.1}
	calibrate(&m, a, b, bench.Threshold{Better: "lower", Tolerance: 0.1})
	if diff := cmp.Diff([]int{7}, m.Outliers); diff != "" || m.Samples[7] != 900 || m.Verdict != reports.Unknown {
		t.Errorf("%s %v %s", diff, m.Samples, m.Verdict)
	}
}

func TestUnsupportedIsShown(t *testing.T) {
	s := &series{
		registered: bench.Registration{Name: "Frames", Units: map[string]bench.Threshold{"frames/call": {Better: "lower", Tolerance: 0.01, Exact: true}}},
		units:      []string{"frames/call"}, unsupported: &bench.Unsupported{Reason: "there is no strace on this machine"},
	}
	m := s.measurements()
	if len(m) != 1 || m[0].Verdict != reports.Unsupported || m[0].Reason != "there is no strace on this machine" || m[0].Samples == nil || len(m[0].Samples) > 0 {
		t.Errorf("%+v", m)
	}
}
