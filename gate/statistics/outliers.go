package statistics

import (
	"math"
	"slices"
)

// This file owns saying which samples lie far from the others.

// farScore is the modified z-score above which a sample lies far from the others.
const farScore = 3.5

// Outliers returns the indexes of the samples that lie far from the others, in
// order: their modified z-score, which is made of the median and the median absolute
// deviation, is above 3.5. Where more than half of the samples are equal, so that
// this deviation is 0, the mean absolute deviation is used instead. Nobody should
// discard them.
func Outliers(samples []float64) []int {
	if len(samples) == 0 {
		return nil
	}
	center := median(samples)
	deviations := make([]float64, len(samples))
	sum := 0.0
	for i, v := range samples {
		deviations[i] = math.Abs(v - center)
		sum += deviations[i]
	}
	// Both factors make the deviation of normally distributed samples their standard
	// deviation.
	scale := 1.4826 * median(deviations)
	if scale == 0 {
		scale = 1.2533 * sum / float64(len(samples))
	}
	var far []int
	for i, d := range deviations {
		if scale > 0 && d/scale > farScore {
			far = append(far, i)
		}
	}
	return far
}

// median returns the median of values in any order.
func median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return midpoint(sorted)
}
