package statistics

import (
	"cmp"
	"slices"
)

// This file owns the correction of p-values for how many there are.

// Holm returns the p-values corrected by Holm's method for being so many, in the same
// order: with those below a level taken for significant, the chance that any of them
// is wrong is at most that level.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		corrected[i] = least
	}
	return corrected
}
