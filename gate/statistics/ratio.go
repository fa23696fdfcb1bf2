package statistics

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

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
// from the seed, so that the same arguments give the same result. Ratios are
// averaged and resampled as logarithms: exchanging the two sides gives the
// reciprocal. Where even the smallest and the largest of so few ratios do not hold
// the median with that confidence, the interval is 0 to the largest number there is:
// 6 pairs are needed at 95 %, 8 at 99 %.
//
// The slices must have the same length. No pairs give the ratio 1 within the widest
// interval. Samples are expected to be positive; two zeros count as equal.
func PairedRatio(old, new []float64, confidence float64, seed uint64) reports.Ratio {
	n := len(old)
	out := reports.Ratio{Median: 1, Low: 0, High: math.MaxFloat64, Confidence: confidence, Pairs: n}
	if n == 0 {
		return out
	}
	logs := logRatios(old, new)
	slices.Sort(logs)
	out.Median = math.Exp(midpoint(logs))
	// The median lies outside all n ratios when each of them is above it, or each below.
	if 2*math.Pow(0.5, float64(n)) > 1-confidence {
		return out
	}
	medians := resampledMedians(logs, rand.New(rand.NewPCG(seed, uint64(n))))
	tail := (1 - confidence) / 2
	out.Low = math.Exp(stat.Quantile(tail, stat.Empirical, medians, nil))
	out.High = math.Exp(stat.Quantile(1-tail, stat.Empirical, medians, nil))
	return out
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

// resampledMedians returns the median of each resample, sorted. Of a resample only
// how often each of the sorted values is in it needs to be known.
func resampledMedians(sorted []float64, random *rand.Rand) []float64 {
	n := len(sorted)
	times := make([]int, n)
	medians := make([]float64, resamples)
	for i := range medians {
		clear(times)
		for range n {
			times[random.IntN(n)]++
		}
		medians[i] = (ranked(sorted, times, (n+1)/2) + ranked(sorted, times, n/2+1)) / 2
	}
	slices.Sort(medians)
	return medians
}

// ranked returns the value of the given rank, from 1, where each of the sorted values
// is there so many times.
func ranked(sorted []float64, times []int, rank int) float64 {
	for i, t := range times {
		if rank -= t; rank <= 0 {
			return sorted[i]
		}
	}
	return sorted[len(sorted)-1]
}

// midpoint returns the median of sorted values.
func midpoint(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
