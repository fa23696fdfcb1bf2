package statistics

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/isogate/isogate/reports"
)

// This file owns the ratio of two sides that were sampled in pairs.

// resamples is how many resamples of the pairs an interval is made of.
const resamples = 10_000

// largestLog bounds the logarithm of a ratio, so that a sample of zero gives a ratio
// that is far from everything, and that JSON can hold.
const largestLog = 700

// PairedRatio returns the median over the pairs of new to old, with the interval
// that holds it at the given confidence (0 to 1, both excluded).
//
// The interval is the percentile interval of 10,000 resamples of the pairs, drawn
// from the seed, so that the same arguments give the same result. Its percentiles lie
// farther out the fewer pairs there are, because resamples of few pairs vary less
// than new pairs do (T. Hesterberg, What Teachers Should Know About the Bootstrap,
// The American Statistician 69, 2015: the expanded percentile interval). Ratios are
// averaged and resampled as logarithms: exchanging the two sides gives the
// reciprocal. Where even the smallest and the largest of so few ratios do not hold
// the median with that confidence, the interval is 0 to the largest number there is:
// 6 pairs are needed at 95 %, 8 at 99 %.
//
// A sample without its pair does not count. No pairs give the ratio 1 within the
// widest interval. Samples are expected to be positive; two zeros count as equal.
func PairedRatio(old, new []float64, confidence float64, seed uint64) reports.Ratio {
	n := min(len(old), len(new))
	out := reports.Ratio{Median: 1, Low: 0, High: math.MaxFloat64, Confidence: confidence, Pairs: n}
	if n == 0 {
		return out
	}
	logs := logRatios(old[:n], new[:n])
	slices.Sort(logs)
	out.Median = math.Exp(midpoint(logs))
	// The median lies outside all n ratios when each of them is above it, or each below.
	if 2*math.Pow(0.5, float64(n)) > 1-confidence {
		return out
	}
	medians, times := resampledMedians(logs, rand.New(rand.NewPCG(seed, uint64(n))))
	tail := expandedTail((1-confidence)/2, n)
	out.Low = math.Exp(stat.Quantile(tail, stat.Empirical, medians, times))
	out.High = math.Exp(stat.Quantile(1-tail, stat.Empirical, medians, times))
	return out
}

// expandedTail returns the share of the resamples of n pairs that lies beyond a bound
// beyond which the median lies with the given chance.
func expandedTail(chance float64, n int) float64 {
	if n < 2 {
		return 0
	}
	size := float64(n)
	t := distuv.StudentsT{Sigma: 1, Nu: size - 1}.Quantile(chance)
	return distuv.UnitNormal.CDF(t * math.Sqrt(size/(size-1)))
}

// logRatios returns the logarithm of new to old for each pair.
func logRatios(old, new []float64) []float64 {
	logs := make([]float64, len(old))
	for i := range old {
		if old[i] == new[i] {
			continue
		}
		logs[i] = min(max(math.Log(new[i]/old[i]), -largestLog), largestLog)
	}
	return logs
}

// resampledMedians returns the medians of the resamples, in order, and how often each
// is one. The sorted values themselves are looked at once only: of a resample it is
// known which of them are in it, and so which are in its middle.
func resampledMedians(sorted []float64, random *rand.Rand) (medians, times []float64) {
	n := len(sorted)
	drawn := make([]int, n)    // how often each value is in the resample
	middle := make([]int, n*n) // how often two values were in the middle
	for range resamples {
		clear(drawn)
		for range n {
			drawn[random.IntN(n)]++
		}
		middle[ranked(drawn, (n+1)/2)*n+ranked(drawn, n/2+1)]++
	}
	var order []int
	for i, t := range middle {
		if t > 0 {
			order = append(order, i)
		}
	}
	median := func(i int) float64 { return (sorted[i/n] + sorted[i%n]) / 2 }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(median(a), median(b)) })
	for _, i := range order {
		medians, times = append(medians, median(i)), append(times, float64(middle[i]))
	}
	return medians, times
}

// ranked returns which value has the given rank, from 1, where each is there so often.
func ranked(drawn []int, rank int) int {
	for i, t := range drawn {
		if rank -= t; rank <= 0 {
			return i
		}
	}
	return len(drawn) - 1
}

// midpoint returns the median of sorted values.
func midpoint(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
