package reports

import (
	"fmt"
	"math"
)

// This file owns the record of a comparison with a reference: what gate ab found.

// Against compares a build, "new", with that of a reference, "old".
type Against struct {
	// Reference is what was asked for, such as "HEAD~1"; Revision is the commit.
	Reference string `json:"reference"`
	Revision  string `json:"revision"`
	// Harness says whose benchmarks measured the reference: HarnessOurs or
	// HarnessIts. Figures that were not measured by the same code do not compare.
	Harness string `json:"harness"`
	// Identical says that what was measured is the same to the byte on both sides.
	Identical bool `json:"identical,omitempty"`
	// Release says that the rule for releases holds: what is not known fails.
	Release bool `json:"release,omitempty"`
	// Claims are the claims whose verdict differs, those that are no longer held first.
	Claims []ClaimChange `json:"claims,omitempty"`
	// Compared is how many claims were looked at on both sides; 0 when none were.
	Compared int `json:"compared"`
	// Changes are the measurements, in the order in which they are registered.
	Changes []Change `json:"changes,omitempty"`
	// Missing names the registered figures that one side did not give.
	Missing []string `json:"missing,omitempty"`
}

// The harnesses.
const (
	HarnessOurs = "ours"
	HarnessIts  = "its own"
)

// ClaimChange is a claim whose verdict differs between the two.
type ClaimChange struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Old and New are the verdicts, "" where there is no such claim.
	Old    Verdict `json:"old,omitempty"`
	New    Verdict `json:"new,omitempty"`
	Reason string  `json:"reason,omitempty"`
}

// Change is one figure of both sides.
type Change struct {
	// Name, Unit, Better and Exact are as in Measurement.
	Name   string `json:"name"`
	Unit   string `json:"unit"`
	Better string `json:"better"`
	Exact  bool   `json:"exact,omitempty"`
	// Iterations is how many operations each sample is made of.
	Iterations int `json:"iterations"`
	// Old and New are the samples, pair by pair.
	Old []float64 `json:"old"`
	New []float64 `json:"new"`
	// Ratio is new to old.
	Ratio Ratio `json:"ratio"`
	// P is the p-value of the test that benchstat makes (Mann-Whitney) on the samples,
	// before it is corrected for the number of figures.
	P float64 `json:"p"`
	// Calibration compares the new build with itself, pair by pair.
	Calibration *Ratio `json:"calibration,omitempty"`
	// Tolerance is the relative change that counts as none.
	Tolerance float64 `json:"tolerance"`
	// Outliers are the indexes of the pairs of which a sample lies far from the others.
	Outliers []int   `json:"outliers,omitempty"`
	Verdict  Verdict `json:"verdict"`
	Reason   string  `json:"reason,omitempty"`
}

// Ratio is the median over pairs of one side's sample to the other's.
type Ratio struct {
	Median float64 `json:"median"`
	// With Confidence (0 to 1) the median is between Low and High. From too few pairs
	// nothing follows: they are 0 and math.MaxFloat64.
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"`
	Pairs      int     `json:"pairs"`
}

// Broken returns the claims that were held at the reference and are not any more,
// those that are violated or vacuous, and those that are no claims any more, unless
// they were open.
func (a *Against) Broken() []ClaimChange {
	var out []ClaimChange
	for _, c := range a.Claims {
		if c.New.fails() || c.Old == Held && c.New != Held || c.New == "" && c.Old != Open {
			out = append(out, c)
		}
	}
	return out
}

// Count returns how many figures have a verdict.
func (a *Against) Count(v Verdict) int {
	n := 0
	for _, c := range a.Changes {
		if c.Verdict == v {
			n++
		}
	}
	return n
}

// fails reports whether the verdict on a figure fails the gate.
func (a *Against) fails(v Verdict) bool {
	return v == Worse || a.Release && (v == Unknown || v == Unfit)
}

// How says how the figures of both sides were taken.
func (a *Against) How() string {
	if a.Identical {
		return "what was measured is the same to the byte on both sides, so that any difference is noise"
	}
	if a.Harness == HarnessIts {
		return "each side measured by its own benchmarks, in pairs that alternate on this machine"
	}
	return "both sides measured by the same benchmarks, in pairs that alternate on this machine"
}

// headline says in a few words what came of the comparison.
func (a *Against) headline() string {
	broken, worse := len(a.Broken()), a.Count(Worse)
	switch {
	case broken > 0 && worse > 0:
		return fmt.Sprintf("%s broken and %s worse than at %s", plural(broken, "claim"), plural(worse, "figure"), a.Reference)
	case broken > 0:
		return fmt.Sprintf("%s broken since %s", plural(broken, "claim"), a.Reference)
	case worse > 0:
		return fmt.Sprintf("%s worse than at %s", plural(worse, "figure"), a.Reference)
	case a.Compared == 0 && len(a.Changes) == 0:
		return "nothing was compared with " + a.Reference
	}
	return "nothing worse than at " + a.Reference
}

// line says what became of a claim.
func (c *ClaimChange) line(reference string) string {
	switch {
	case c.Old == "":
		return fmt.Sprintf("%s is %s, and is no claim at %s", c.ID, c.New, reference)
	case c.New == "":
		return fmt.Sprintf("%s is no claim any more; it was %s at %s", c.ID, c.Old, reference)
	}
	return fmt.Sprintf("%s is %s; it was %s at %s", c.ID, c.New, c.Old, reference)
}

// Interval returns "0.98 to 1.03, at 95.0 %".
func (r Ratio) Interval() string {
	if r.High == math.MaxFloat64 {
		return fmt.Sprintf("%s, too few for an interval at %.1f %%", plural(r.Pairs, "pair"), 100*r.Confidence)
	}
	return fmt.Sprintf("%.3f to %.3f, at %.1f %%", r.Low, r.High, 100*r.Confidence)
}
