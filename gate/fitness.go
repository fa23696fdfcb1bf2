package gate

import (
	"fmt"
	"math"
	"slices"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/gate/statistics"
	"github.com/isogate/isogate/reports"
)

// This file owns what is made of samples that two samplers of the same build took:
// whether the machine can judge a figure, and whether the figure is out of all
// bounds.

const (
	// calibrationConfidence is how sure an interval of a calibration is.
	calibrationConfidence = 0.95
	// calibrationSeed makes the intervals of the same samples the same.
	calibrationSeed = 1
)

// measurements returns the series' figures with what is made of them.
func (s *series) measurements() []reports.Measurement {
	out := make([]reports.Measurement, len(s.units))
	for i, unit := range s.units {
		threshold := s.registered.Units[unit]
		m := reports.Measurement{
			Name: s.registered.Name, Unit: unit, Better: threshold.Better, Iterations: s.registered.Iterations,
			Samples: []float64{}, Exact: threshold.Exact, Tolerance: threshold.Tolerance, Ceiling: threshold.Ceiling,
		}
		if s.unsupported != nil {
			m.Verdict, m.Reason = reports.Unsupported, s.unsupported.Reason
		} else {
			calibrate(&m, s.figure(0, i), s.figure(1, i), threshold)
		}
		out[i] = m
	}
	return out
}

// calibrate puts the samples of both sides in the measurement, alternately, and
// decides its verdict. One run compares with nothing, so a figure that is within
// bounds and that the machine can judge is unknown.
func calibrate(m *reports.Measurement, a, b []float64, t bench.Threshold) {
	for i := range a {
		m.Samples = append(m.Samples, a[i], b[i])
	}
	m.Outliers = statistics.Outliers(m.Samples)
	if !t.Exact {
		ratio := statistics.PairedRatio(a, b, calibrationConfidence, calibrationSeed)
		m.Calibration = &ratio
	}
	m.Verdict = reports.Unknown
	if reason := unfit(m); reason != "" {
		m.Verdict, m.Reason = reports.Unfit, reason
	}
	if reason := beyondCeiling(m); reason != "" {
		m.Verdict, m.Reason = reports.Worse, reason
	}
}

// unfit says why the samples cannot judge a difference of the tolerance, "" when
// they can.
func unfit(m *reports.Measurement) string {
	if m.Exact {
		least, most := slices.Min(m.Samples), slices.Max(m.Samples)
		if most > least*(1+m.Tolerance) {
			return fmt.Sprintf("counts of the same work are %v to %v, the tolerance is %s", least, most, percent(m.Tolerance))
		}
		return ""
	}
	r := m.Calibration
	half := max(r.High/r.Median-1, 1-r.Low/r.Median)
	switch {
	case half > m.Tolerance && r.High == math.MaxFloat64:
		return fmt.Sprintf("%d pairs are too few for an interval", r.Pairs)
	case half > m.Tolerance:
		return fmt.Sprintf("this build against itself is %.3f to %.3f, and %s is to be told apart", r.Low, r.High, percent(m.Tolerance))
	case (r.Low > 1 || r.High < 1) && math.Abs(r.Median-1) > m.Tolerance:
		return fmt.Sprintf("this build differs from itself: %.3f (%.3f to %.3f), the tolerance is %s", r.Median, r.Low, r.High, percent(m.Tolerance))
	}
	return ""
}

// beyondCeiling says that the median is worse than any machine may have it, "" when
// it is not.
func beyondCeiling(m *reports.Measurement) string {
	if m.Ceiling == 0 {
		return ""
	}
	sorted := slices.Sorted(slices.Values(m.Samples))
	// The middle one that is better, when there are two: both must be beyond.
	center := sorted[(len(sorted)-1)/2]
	if m.Better == "higher" {
		center = sorted[len(sorted)/2]
	}
	if m.Better == "higher" && center < m.Ceiling || m.Better == "lower" && center > m.Ceiling {
		return fmt.Sprintf("the median is %.4g %s, beyond the %.4g that no machine may pass", center, m.Unit, m.Ceiling)
	}
	return ""
}

func percent(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }
