package plots

import (
	"math"
)

// This file owns the axis: which values it spans, and where its ticks are.

// farthest bounds the values that are drawn, so that no sum of them overflows.
const farthest = 1e200

// axis maps values onto lengths.
type axis struct {
	low, high float64
	log       bool
}

// newAxis returns an axis that holds all values with some room on both sides. It is
// logarithmic when that is wanted and every value is above 0. ok is false when there is
// no finite value.
func newAxis(values []float64, log bool) (a axis, ok bool) {
	a = axis{math.Inf(1), math.Inf(-1), log}
	for _, v := range values {
		if drawable(v) {
			a.low, a.high, ok = math.Min(a.low, v), math.Max(a.high, v), true
			a.log = a.log && v > 0
		}
	}
	if !ok {
		return a, false
	}
	if a.log {
		low, high := math.Log(a.low), math.Log(a.high)
		room := math.Max((high-low)*0.05, 0.05)
		a.low, a.high = math.Exp(low-room), math.Exp(high+room)
		return a, true
	}
	room := (a.high - a.low) * 0.05
	if room == 0 {
		room = math.Max(math.Abs(a.high)*0.05, 1e-9)
	}
	low := a.low - room
	if a.low >= 0 {
		low = math.Max(low, 0)
	}
	a.low, a.high = low, a.high+room
	return a, true
}

// drawable reports whether a value can stand on an axis.
func drawable(v float64) bool { return !math.IsNaN(v) && math.Abs(v) <= farthest }

// at returns where a value is, 0 at the low end and 1 at the high one; outside it stays
// at the end.
func (a axis) at(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		if v <= 0 {
			return 0
		}
		v, low, high = math.Log(v), math.Log(low), math.Log(high)
	}
	f := (v - low) / (high - low)
	if !(f > 0) { // NaN too
		return 0
	}
	return math.Min(f, 1)
}

// ticks returns round values on the axis, about n of them, at most 3n.
func (a axis) ticks(n int) []float64 {
	if a.log {
		if ticks := a.logTicks(n); len(ticks) > 1 {
			return ticks
		}
	}
	step := round((a.high - a.low) / float64(n))
	if step <= 0 || math.IsInf(step, 0) {
		return nil
	}
	var ticks []float64
	for i := math.Ceil(a.low / step); i*step <= a.high && len(ticks) < 3*n; i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

// logTicks returns 1, 2 and 5 of each decade, or where these are too many, decades.
func (a axis) logTicks(n int) []float64 {
	low, high := math.Log10(a.low), math.Log10(a.high)
	mantissas := []float64{1, 2, 5}
	every := 1.0
	if decades := high - low; decades*3 > 1.5*float64(n) {
		mantissas = mantissas[:1]
		every = math.Max(1, math.Ceil(decades/float64(n)))
	}
	var ticks []float64
	for decade := math.Floor(low/every) * every; decade <= high && len(ticks) < 3*n; decade += every {
		for _, m := range mantissas {
			if v := m * math.Pow(10, decade); v >= a.low && v <= a.high {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// round returns the smallest of 1, 2 and 5 times a power of ten that is not below v.
func round(v float64) float64 {
	if v <= 0 {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}
