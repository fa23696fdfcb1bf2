package statistics_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isogate/isogate/gate/statistics"
	"github.com/isogate/isogate/reports"
)

// This file tests the verdicts, figure by figure.

// repeated returns n samples around a value: times 1, 1+step, 1−step and again.
func repeated(n int, value, step float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = value * (1 + step*float64((i+1)%3-1))
	}
	return out
}

func TestJudge(t *testing.T) {
	timed := func(new float64) statistics.Figure {
		return statistics.Figure{Old: repeated(10, 100, 0.02), New: repeated(10, new, 0.02), Tolerance: 0.10, Better: "lower"}
	}
	counted := func(old, new []float64) statistics.Figure {
		return statistics.Figure{Old: old, New: new, Tolerance: 0.02, Better: "lower", Exact: true}
	}
	calibrated := func(new, again float64, step float64) statistics.Figure {
		f := timed(new)
		f.Again = repeated(10, again, step)
		return f
	}
	higher := timed(130)
	higher.Better = "higher"
	few := timed(130)
	few.Old, few.New = few.Old[:3], few.New[:3]
	uneven := timed(100)
	uneven.New = uneven.New[:9]
	wild := timed(100)
	wild.New = repeated(10, 100, 0.5)
	zero := timed(100)
	zero.New[2] = 0
	nan := timed(100)
	nan.Old[0] = math.NaN()
	tests := []struct {
		name    string
		figure  statistics.Figure
		verdict reports.Verdict
		reason  string
	}{
		{"no change", timed(100), reports.Same, ""},
		{"a change within the tolerance, however sure", timed(108), reports.Same, ""},
		{"slower", timed(130), reports.Worse, "+30.0 % (+30.0 % to +30.0 %, at 98.3 %), more than the tolerance of 10 %"},
		{"faster", timed(80), reports.Better, "-20.0 %"},
		{"more of what is good", higher, reports.Better, "+30.0 %"},
		{"a difference in too few pairs", few, reports.Unknown, "+30.0 % (too few pairs to say more, at 98.3 %) in 3 pairs"},
		{"too noisy to say the same", wild, reports.Unknown, "neither within nor beyond the tolerance of 10 %"},
		{"no pairs", statistics.Figure{Better: "lower"}, reports.Unknown, "there are 0 old and 0 new samples"},
		{"uneven pairs", uneven, reports.Unknown, "there are 10 old and 9 new samples"},
		{"a time of nothing", zero, reports.Unknown, "pair 3: 0 is no measurement"},
		{"no number", nan, reports.Unknown, "pair 1: NaN is no measurement"},
		{"a machine that is fit", calibrated(100, 101, 0.02), reports.Same, ""},
		{"slower on a machine that is fit", calibrated(130, 131, 0.02), reports.Worse, "+30.0 %"},
		{"a build that differs from itself", calibrated(100, 130, 0.02), reports.Unfit, "the same build differs from itself by +30.0 %"},
		{"a build that is not known", calibrated(100, 100, 0.5), reports.Unfit, "the same build is known to ±"},
		{"slower by less than the noise", calibrated(130, 160, 0.02), reports.Unfit, "the two sides differ by +30.0 %"},
		{"slower by far more than the noise", calibrated(300, 360, 0.02), reports.Worse, "+200.0 %"},
		{"counts that are equal", counted([]float64{7, 7}, []float64{7, 7}), reports.Same, ""},
		{"no count on either side", counted([]float64{0}, []float64{0}), reports.Same, ""},
		{"a count within the tolerance", counted([]float64{100}, []float64{102}), reports.Same, ""},
		{"a higher count", counted([]float64{100, 100, 100}, []float64{103, 103, 103}), reports.Worse, "counted 100 before and 103 now, the tolerance is 2 %"},
		{"a count of what was not there", counted([]float64{0}, []float64{1}), reports.Worse, "counted 0 before and 1 now"},
		{"a lower count", counted([]float64{100}, []float64{90}), reports.Better, "counted 100 before and 90 now"},
		{"a count that varies", counted([]float64{100, 100}, []float64{100, 110}), reports.Unknown, "the count varies: in 1 of 2 pairs it is within the tolerance; counted 100 before and 100 to 110 now"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := statistics.Judge([]statistics.Figure{tc.figure}, 3, 1)[0]
			if got.Verdict != tc.verdict || !strings.Contains(got.Reason, tc.reason) || tc.reason == "" && got.Reason != "" {
				t.Errorf("%s: %s; must be %s: %s", got.Verdict, got.Reason, tc.verdict, tc.reason)
			}
			if open := tc.verdict == reports.Unknown || tc.verdict == reports.Unfit; got.Open() != open {
				t.Errorf("open is %v", got.Open())
			}
			if (got.Calibration != nil) != (tc.figure.Again != nil) || !(got.P >= 0 && got.P <= 1) {
				t.Errorf("the calibration is %v, p is %v", got.Calibration, got.P)
			}
		})
	}
}

// The evidence of the test counts less the more figures are tested.
func TestJudgeCorrectsForTheNumberOfFigures(t *testing.T) {
	// A difference that is sure among few figures and not among many: found by search.
	figure, p := statistics.Figure{Tolerance: 0.10, Better: "lower"}, 0.0
	for seed := uint64(1); ; seed++ {
		if seed > 200 {
			t.Fatal("no such figure was found")
		}
		r := rand.New(rand.NewPCG(seed, 0))
		figure.Old, figure.New = nil, nil
		for round := range 10 {
			figure.Old = append(figure.Old, noisy.sample(r, round))
			figure.New = append(figure.New, 1.3*noisy.sample(r, round))
		}
		found := statistics.Judge([]statistics.Figure{figure}, 1, 1)[0]
		if p = found.P; found.Verdict == reports.Worse && found.Ratio.Low < 1.10 && p > 0.001 {
			break
		}
	}
	same := statistics.Figure{Old: repeated(10, 100, 0.02), New: repeated(10, 100, 0.02), Tolerance: 0.10, Better: "lower"}
	many := []statistics.Figure{figure}
	for range 20 {
		many = append(many, same)
	}
	// Its own seed is the same, because it is the first.
	if found := statistics.Judge(many, 1, 1)[0]; found.Verdict != reports.Unknown || found.P != p {
		t.Errorf("among 21 figures, with p=%v: %s: %s", found.P, found.Verdict, found.Reason)
	}
	if found := statistics.Judge([]statistics.Figure{figure}, 30, 1)[0]; found.Verdict != reports.Unknown {
		t.Errorf("at one of 30 looks: %s: %s", found.Verdict, found.Reason)
	}
}
