package statistics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/gate/statistics"
	"github.com/isogate/isogate/reports"
)

// This file tests the ratio of pairs, the outliers and the correction.

func TestPairedRatio(t *testing.T) {
	unbounded := func(median float64, pairs int) reports.Ratio {
		return reports.Ratio{Median: median, High: math.MaxFloat64, Confidence: 0.95, Pairs: pairs}
	}
	tests := []struct {
		name     string
		old, new []float64
		want     reports.Ratio
	}{
		{"none", nil, nil, unbounded(1, 0)},
		{"one", []float64{4}, []float64{6}, unbounded(1.5, 1)},
		{"two, whose middle is their geometric mean", []float64{1, 1}, []float64{2, 8}, unbounded(4, 2)},
		{"five are too few at 95 %", []float64{1, 1, 1, 1, 1}, []float64{2, 2, 2, 2, 2}, unbounded(2, 5)},
		{"six are enough", []float64{1, 2, 3, 4, 5, 6}, []float64{2, 4, 6, 8, 10, 12}, reports.Ratio{Median: 2, Low: 2, High: 2, Confidence: 0.95, Pairs: 6}},
		{"zeros are equal", []float64{0, 0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0, 0}, reports.Ratio{Median: 1, Low: 1, High: 1, Confidence: 0.95, Pairs: 6}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := statistics.PairedRatio(tc.old, tc.new, 0.95, 1)
			got.Median, got.Low = round(got.Median), round(got.Low)
			if got.High < math.MaxFloat64 {
				got.High = round(got.High)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	// What was nothing and is something is far from everything, and still a number.
	if r := statistics.PairedRatio(make([]float64, 6), []float64{1, 1, 1, 1, 1, 1}, 0.95, 1); r.Low < 1e300 || math.IsInf(r.High, 0) || math.IsNaN(r.Median) {
		t.Errorf("%+v", r)
	}
}

func round(v float64) float64 { return math.Round(v*1e9) / 1e9 }

// noisyPairs returns n pairs without a difference.
func noisyPairs(r *rand.Rand, n int) (old, new []float64) {
	for i := range n {
		old = append(old, noisy.sample(r, i))
		new = append(new, noisy.sample(r, i))
	}
	return old, new
}

func TestPairedRatioIsDeterministic(t *testing.T) {
	old, new := noisyPairs(rand.New(rand.NewPCG(1, 2)), 12)
	a, b := statistics.PairedRatio(old, new, 0.95, 7), statistics.PairedRatio(old, new, 0.95, 7)
	if a != b {
		t.Errorf("%+v and %+v", a, b)
	}
}

// Exchanging the sides gives the reciprocal, but for what resampling varies.
func TestPairedRatioIsSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		old, new := noisyPairs(r, 10+r.IntN(20))
		there, back := statistics.PairedRatio(old, new, 0.9, 1), statistics.PairedRatio(new, old, 0.9, 1)
		for what, product := range map[string]float64{
			"medians": there.Median * back.Median, "low to high": there.Low * back.High, "high to low": there.High * back.Low,
		} {
			if bound := 0.1; math.Abs(product-1) > bound || what == "medians" && math.Abs(product-1) > 1e-9 {
				t.Errorf("%s: the product is %v: %+v and %+v", what, product, there, back)
			}
		}
		if !(there.Low <= there.Median && there.Median <= there.High) {
			t.Errorf("the median is outside its interval: %+v", there)
		}
	}
}

// An interval at some confidence holds the true ratio at least that often, from the
// fewest pairs for which there is one.
func TestPairedRatioCovers(t *testing.T) {
	const runs = 400 / shorter
	for _, tc := range []struct {
		pairs      int
		confidence float64
	}{{6, 0.95}, {8, 1 - 0.05/3}, {10, 1 - 0.05/3}, {10, 0.95}, {20, 1 - 0.05/3}, {30, 0.95}} {
		r := rand.New(rand.NewPCG(5, uint64(tc.pairs)))
		missed := 0
		for range runs {
			old, new := noisyPairs(r, tc.pairs)
			if ratio := statistics.PairedRatio(old, new, tc.confidence, r.Uint64()); ratio.Low > 1 || ratio.High < 1 {
				missed++
			}
		}
		// Three standard deviations above what is intended.
		chance := 1 - tc.confidence
		if most := runs*chance + 3*math.Sqrt(runs*chance*(1-chance)); float64(missed) > most {
			t.Errorf("%d pairs at %.3f: %d of %d intervals miss, at most %.0f may", tc.pairs, tc.confidence, missed, runs, most)
		}
	}
}

func TestOutliers(t *testing.T) {
	tests := []struct {
		name    string
		samples []float64
		want    []int
	}{
		{"none", nil, nil},
		{"one sample", []float64{5}, nil},
		{"equal", []float64{5, 5, 5}, nil},
		{"in order", []float64{1, 2, 3, 4, 5}, nil},
		{"both ends", []float64{100, 10, 11, 12, 11, 10, 12, -100}, []int{0, 7}},
		// |15 − 11| / (1.4826 · 1) is 2.7, |17 − 11| is 4.05.
		{"far and not far enough", []float64{10, 11, 12, 15, 17, 10, 11, 12, 11, 10}, []int{4}},
		{"more than half are equal", []float64{5, 5, 5, 5, 5, 5, 6}, []int{6}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, statistics.Outliers(tc.samples)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHolm(t *testing.T) {
	tests := []struct {
		name    string
		p, want []float64
	}{
		{"none", nil, []float64{}},
		{"one", []float64{0.02}, []float64{0.02}},
		{"by rank", []float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{"at most 1", []float64{0.9, 0.8}, []float64{1, 1}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := statistics.Holm(tc.p)
			for i := range got {
				got[i] = round(got[i])
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
