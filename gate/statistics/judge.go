package statistics

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/isogate/isogate/reports"
)

// This file owns the verdicts on figures that were sampled in pairs.

// The levels. They are shared out over the looks, and the second also over the figures.
const (
	intervalLevel = 0.05 // how often an interval may lie beside the ratio
	testLevel     = 0.01 // how often a test may find a difference where there is none
)

// Figure is one quantity of both sides, sampled in pairs.
type Figure struct {
	// Old and New are the samples, pair by pair, of the same number.
	Old, New []float64
	// Again are samples of the new side by another process, in the same rounds, with
	// which the machine is calibrated; nil for none.
	Again []float64
	// Tolerance is the relative change that counts as none, from 0 up.
	Tolerance float64
	// Better is "lower" or "higher".
	Better string
	// Exact says that the quantity is counted, so that equal work gives equal samples.
	Exact bool
}

// Finding is what is known of a figure.
type Finding struct {
	Verdict reports.Verdict
	// Reason says why, for every verdict but same.
	Reason string
	Ratio  reports.Ratio
	// P is the p-value of the test that benchstat makes, before the correction for the
	// number of figures.
	P float64
	// Calibration is the ratio of Again to New, nil when there is none. P, Ratio and
	// this are given whatever the verdict.
	Calibration *reports.Ratio
}

// Open reports whether more pairs could decide the figure.
func (d *Finding) Open() bool { return d.Verdict == reports.Unknown || d.Verdict == reports.Unfit }

// Judge returns what is known of each figure, in order, at one of so many looks.
// Whoever looks at the same figures again with more pairs may be wrong each time, so
// the intervals and the tests are the surer the more looks there are.
//
// A figure is better or worse when two keys turn. The effect: its median ratio is
// farther from 1 than the tolerance. The evidence: the interval that holds the median
// lies beyond the tolerance wholly; or it excludes 1, and so does the Mann-Whitney
// test at 1 %, corrected for the number of figures. It is the same when the interval
// lies within the tolerance wholly. Otherwise it is unknown: an interval that
// merely contains 1 is the easier to get the worse the machine measures.
//
// With a calibration it is unfit when that finds a difference between the new side
// and itself by the same two keys, or when the calibration's interval is wider than
// the tolerance to each side. A difference is still believed when its interval lies
// beyond the tolerance even after everything that the calibration's interval contains
// is taken off, so that no machine is too noisy for a gross one.
//
// A counted figure is judged by its pairs alone, without a calibration: all of them
// within the tolerance, or all beyond it on one side. Its interval is that of its
// ratios.
func Judge(figures []Figure, looks int, seed uint64) []Finding {
	confidence := 1 - intervalLevel/float64(max(looks, 1))
	findings := make([]Finding, len(figures))
	self := make([]Finding, len(figures)) // what the calibrations find
	var p, selfP []float64
	for i, f := range figures {
		findings[i].P, self[i].P = 1, 1
		if unusable(f) != "" { // not for statistics, which may not even end with a NaN
			findings[i].Ratio = PairedRatio(nil, nil, confidence, seed)
			p, selfP = append(p, 1), append(selfP, 1)
			continue
		}
		findings[i].Ratio = PairedRatio(f.Old, f.New, confidence, seed+uint64(i))
		findings[i].P = compare(f)
		p = append(p, tested(f, findings[i].P))
		if !f.Exact && f.Again != nil && unusable(f.itself()) == "" {
			self[i].Ratio = PairedRatio(f.New, f.Again, confidence, seed+uint64(i))
			self[i].P = compare(f.itself())
			findings[i].Calibration = &self[i].Ratio
		}
		selfP = append(selfP, self[i].P)
	}
	p, selfP = Holm(p), Holm(selfP)
	for i, f := range figures {
		findings[i].judge(f, p[i]*float64(max(looks, 1)))
		if findings[i].Calibration != nil {
			self[i].judge(f.itself(), selfP[i]*float64(max(looks, 1)))
			findings[i].calibrate(f, &self[i])
		}
	}
	return findings
}

// itself returns the comparison of the figure's new side with itself.
func (f Figure) itself() Figure {
	return Figure{Old: f.New, New: f.Again, Tolerance: f.Tolerance, Better: f.Better}
}

// tested returns the p-value with which a figure counts among those that are tested;
// a counted one is not.
func tested(f Figure, p float64) float64 {
	if f.Exact {
		return 1
	}
	return p
}

// compare returns the p-value that benchstat gives for the figure.
func compare(f Figure) float64 {
	assume := benchmath.Assumption(benchmath.AssumeNothing)
	if f.Exact {
		assume = benchmath.AssumeExact
	}
	// A benchmath.Sample sorts what it is given.
	old := benchmath.NewSample(slices.Clone(f.Old), &benchmath.DefaultThresholds)
	new := benchmath.NewSample(slices.Clone(f.New), &benchmath.DefaultThresholds)
	return assume.Compare(old, new).P
}

// judge decides the verdict from the ratio and the corrected p-value.
func (d *Finding) judge(f Figure, p float64) {
	if reason := unusable(f); reason != "" {
		d.Verdict, d.Reason = reports.Unknown, reason
		return
	}
	if f.Exact {
		d.Ratio.Low, d.Ratio.High = extremes(f)
		d.Ratio.Confidence = 1
		d.Verdict, d.Reason = judgeExact(f)
		return
	}
	low, high := 1-f.Tolerance, 1+f.Tolerance
	r := d.Ratio
	beyond := r.Low > high || r.High < low
	differs := (r.Low > 1 || r.High < 1) && p < testLevel
	switch {
	case (r.Median > high || r.Median < low) && (beyond || differs):
		d.Verdict = direction(r.Median > 1, f.Better)
		d.Reason = fmt.Sprintf("%s (%s), more than the tolerance of %s", change(r.Median), interval(r), percent(f.Tolerance))
	case r.Low >= low && r.High <= high:
		d.Verdict = reports.Same
	default:
		d.Verdict = reports.Unknown
		d.Reason = fmt.Sprintf("%s (%s) in %s, which is neither within nor beyond the tolerance of %s", change(r.Median), interval(r), pairs(r.Pairs), percent(f.Tolerance))
	}
}

// calibrate makes the figure unfit where the new side differs from itself, or cannot
// be told from itself closely enough.
func (d *Finding) calibrate(f Figure, self *Finding) {
	if self.Ratio.High == math.MaxFloat64 {
		return // so few pairs decide nothing anyway
	}
	half := (self.Ratio.High - self.Ratio.Low) / 2
	found := self.Verdict == reports.Better || self.Verdict == reports.Worse
	if !found && half <= f.Tolerance {
		return
	}
	noise := max(self.Ratio.High, 1/self.Ratio.Low)
	if r := d.Ratio; r.Low > (1+f.Tolerance)*noise || r.High < (1-f.Tolerance)/noise {
		return
	}
	why := fmt.Sprintf("the same build is known to ±%.0f %% only", 100*half)
	if found {
		why = fmt.Sprintf("the same build differs from itself by %s (%s)", change(self.Ratio.Median), interval(self.Ratio))
	}
	d.Verdict = reports.Unfit
	d.Reason = fmt.Sprintf("%s, the tolerance is %s; the two sides differ by %s (%s)", why, percent(f.Tolerance), change(d.Ratio.Median), interval(d.Ratio))
}

// unusable says why nothing can be made of a figure, "" when something can.
func unusable(f Figure) string {
	if len(f.Old) == 0 || len(f.Old) != len(f.New) {
		return fmt.Sprintf("there are %d old and %d new samples, which make no pairs", len(f.Old), len(f.New))
	}
	for i := range f.Old {
		for _, v := range []float64{f.Old[i], f.New[i]} {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v == 0 && !f.Exact {
				return fmt.Sprintf("pair %d: %v is no measurement", i+1, v)
			}
		}
	}
	return ""
}

// judgeExact returns the verdict on a counted figure.
func judgeExact(f Figure) (reports.Verdict, string) {
	within, above, below := 0, 0, 0
	for i := range f.Old {
		switch old, new := f.Old[i], f.New[i]; {
		case math.Abs(new-old) <= f.Tolerance*old:
			within++
		case new > old:
			above++
		default:
			below++
		}
	}
	pairs := len(f.Old)
	if within == pairs {
		return reports.Same, ""
	}
	said := fmt.Sprintf("counted %s before and %s now, the tolerance is %s", values(f.Old), values(f.New), percent(f.Tolerance))
	if above == pairs || below == pairs {
		return direction(above == pairs, f.Better), said
	}
	return reports.Unknown, fmt.Sprintf("the count varies: in %d of %d pairs it is within the tolerance; %s", within, pairs, said)
}

// extremes returns the smallest and the largest ratio.
func extremes(f Figure) (low, high float64) {
	logs := logRatios(f.Old, f.New)
	return math.Exp(slices.Min(logs)), math.Exp(slices.Max(logs))
}

// values names a counted figure's samples.
func values(samples []float64) string {
	low, high := slices.Min(samples), slices.Max(samples)
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%v to %v", low, high)
}

// direction says what a figure that went up, or down, has become.
func direction(up bool, better string) reports.Verdict {
	if up == (better == "higher") {
		return reports.Better
	}
	return reports.Worse
}

// change returns "+12.3 %".
func change(ratio float64) string {
	if ratio > 1000 {
		return "more than 1000 times as much"
	}
	return fmt.Sprintf("%+.1f %%", 100*(ratio-1))
}

// interval returns "+1.0 % to +3.0 %, at 98.3 %".
func interval(r reports.Ratio) string {
	if r.High == math.MaxFloat64 {
		return fmt.Sprintf("too few pairs to say more, at %.1f %%", 100*r.Confidence)
	}
	return fmt.Sprintf("%s to %s, at %.1f %%", change(r.Low), change(r.High), 100*r.Confidence)
}

func pairs(n int) string {
	if n == 1 {
		return "1 pair"
	}
	return fmt.Sprintf("%d pairs", n)
}

func percent(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }
