package benchfiles

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/reports"
)

// This file owns the comparison of what was read.

// Options say how to judge.
type Options struct {
	// Alpha is the level below which a p-value counts as a difference, 0 to 1.
	Alpha float64
	// Tolerance is the relative change that counts as none, for benchmarks that are not
	// registered.
	Tolerance float64
	// Thresholds are the registered tolerances, nil for none.
	Thresholds *bench.Thresholds
}

// Side is the samples of one file.
type Side struct {
	Samples int `json:"samples"`
	// Center is the median, or of an exact unit the commonest value; with 95 % it is
	// between Low and High. Range is how benchstat writes that.
	Center float64 `json:"center"`
	Low    float64 `json:"-"`
	High   float64 `json:"-"`
	Range  string  `json:"range"`
}

// Row is one unit of one benchmark.
type Row struct {
	Name string `json:"name"`
	// Unit is tidied: sec/op for ns/op.
	Unit string `json:"unit"`
	// Config is what the file says about where the benchmark was run.
	Config string `json:"config,omitempty"`
	// Old and New are nil where the file lacks the row.
	Old *Side `json:"old,omitempty"`
	New *Side `json:"new,omitempty"`
	// Delta and Test are what benchstat writes: "+3.10%" or "~", and "p=0.002 n=10".
	Delta string  `json:"delta,omitempty"`
	P     float64 `json:"p"`
	Test  string  `json:"test,omitempty"`
	// Tolerance is the relative change that counts as none.
	Tolerance float64         `json:"tolerance"`
	Verdict   reports.Verdict `json:"verdict"`
	Reason    string          `json:"reason,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
}

// Comparison is two files.
type Comparison struct {
	Old  string `json:"old"`
	New  string `json:"new"`
	Rows []Row  `json:"rows"`
}

// Worse returns the rows that fail: those that are worse, and those that the new file
// lacks.
func (c *Comparison) Worse() []*Row {
	var out []*Row
	for i := range c.Rows {
		if c.Rows[i].Verdict == reports.Worse {
			out = append(out, &c.Rows[i])
		}
	}
	return out
}

// Compare compares two files. The error says what is wrong with them, each mistake with
// its file and line; then there is no comparison.
func Compare(old, new string, o Options) (*Comparison, error) {
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return nil, fmt.Errorf("alpha is %v, must be between 0 and 1", o.Alpha)
	}
	if !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 0) {
		return nil, fmt.Errorf("the tolerance is %v, must be 0 or more", o.Tolerance)
	}
	r, err := readFiles([2]string{old, new})
	if err != nil {
		return nil, err
	}
	c := &Comparison{Old: old, New: new}
	for _, table := range tables(r.rows) {
		for _, key := range r.rows {
			if key.table == table {
				c.Rows = append(c.Rows, r.row(key, o))
			}
		}
	}
	if len(c.Rows) == 0 {
		return nil, errors.New("there is nothing to compare")
	}
	return c, nil
}

// tables returns the tables in benchstat's order.
func tables(rows []rowKey) []benchproc.Key {
	seen := map[benchproc.Key]bool{}
	var out []benchproc.Key
	for _, key := range rows {
		if !seen[key.table] {
			seen[key.table] = true
			out = append(out, key.table)
		}
	}
	benchproc.SortKeys(out)
	return out
}

// row compares one row.
func (r *read) row(key rowKey, o Options) Row {
	unit := r.unit(key.table)
	row := Row{Name: key.name.StringValues(), Unit: unit, Config: r.config(key.table)}
	assume := r.units.GetAssumption(unit)
	thresholds := benchmath.Thresholds{CompareAlpha: o.Alpha}
	cell := r.cells[key]
	side := func(s sample) (*Side, *benchmath.Sample) {
		if len(s.values) == 0 {
			return nil, nil
		}
		sorted := benchmath.NewSample(s.values, &thresholds)
		summary := assume.Summary(sorted, 0.95)
		row.warn(summary.Warnings)
		return &Side{len(s.values), summary.Center, summary.Lo, summary.Hi, summary.PctRangeString()}, sorted
	}
	var oldSample, newSample *benchmath.Sample
	row.Old, oldSample = side(cell[0])
	row.New, newSample = side(cell[1])
	rule := o.rule(row.Name, unit, r.units.GetBetter(unit))
	row.Tolerance = rule.tolerance
	switch {
	case row.New == nil:
		row.Verdict, row.Reason = reports.Worse, "the new file lacks it"
		return row
	case row.Old == nil:
		row.Verdict, row.Reason = reports.Unknown, "the old file lacks it"
		return row
	}
	compared := assume.Compare(oldSample, newSample)
	row.warn(compared.Warnings)
	row.P, row.Test = compared.P, compared.String()
	row.Delta = compared.FormatDelta(row.Old.Center, row.New.Center)
	if allEqual(cell[0].values, cell[1].values) {
		row.Verdict = reports.Same
		return row
	}
	row.Verdict, row.Reason = rule.judge(row.Old, row.New, compared, assume == benchmath.Assumption(benchmath.AssumeExact))
	return row
}

// allEqual reports whether all values are the same.
func allEqual(sides ...[]float64) bool {
	for _, values := range sides {
		for _, v := range values {
			if v != sides[0][0] {
				return false
			}
		}
	}
	return true
}

func (row *Row) warn(warnings []error) {
	for _, w := range warnings {
		row.Warnings = append(row.Warnings, w.Error())
	}
}

// rule is how a row is judged.
type rule struct {
	tolerance float64
	// better is 1 where higher is better, −1 where lower is, 0 where nobody has said.
	better     int
	registered bool
}

// processors is the end of a benchmark's name that tells GOMAXPROCS.
var processors = regexp.MustCompile(`-\d+$`)

// rule returns how a row is judged; better is what the files say.
func (o Options) rule(name, unit string, better int) rule {
	found := rule{o.Tolerance, better, false}
	if o.Thresholds == nil {
		return found
	}
	name = processors.ReplaceAllString(name, "")
	for _, r := range o.Thresholds.Benchmarks {
		for registered, threshold := range r.Units {
			if _, tidy := benchunit.Tidy(1, registered); r.Name == name && tidy == unit {
				found = rule{threshold.Tolerance, -1, true}
				if threshold.Better == "higher" {
					found.better = 1
				}
			}
		}
	}
	// Both sides of a comparison of sealed with unsealed children are measured for their
	// ratio; what that may be is what each may change by.
	for _, p := range o.Thresholds.Sealing.Comparisons {
		if base, _, _ := strings.Cut(name, "/"); base == p.Name {
			found = rule{p.Ratio.Most - 1, -1, true}
		}
	}
	return found
}

// judge returns the verdict on a row.
func (r rule) judge(old, new *Side, c benchmath.Comparison, exact bool) (reports.Verdict, string) {
	ratio := new.Center / old.Center
	beyond := math.Abs(new.Center-old.Center) > r.tolerance*math.Abs(old.Center)
	evident := c.P < c.Alpha
	if exact {
		// Its p-value is 0 whatever the values are; that they vary is doubt enough.
		evident = old.Low == old.High && new.Low == new.High
	}
	switch {
	case beyond && evident && r.better == 0:
		return reports.Unknown, "it differs, and no file says which direction of the unit is better"
	case beyond && evident && (new.Center > old.Center) == (r.better > 0):
		return reports.Better, ""
	case beyond && evident:
		return reports.Worse, fmt.Sprintf("%+.1f %%, the tolerance is %.4g %%", 100*(ratio-1), 100*r.tolerance)
	case r.within(old, new):
		return reports.Same, ""
	case beyond:
		return reports.Unknown, fmt.Sprintf("%+.1f %% without evidence", 100*(ratio-1))
	}
	return reports.Unknown, "the samples decide nothing"
}

// within reports whether even the farthest ends of the two intervals differ by no more
// than the tolerance.
func (r rule) within(old, new *Side) bool {
	if !(old.Low > 0) || math.IsInf(old.High, 0) || math.IsInf(new.High, 0) {
		return false
	}
	return new.High/old.Low <= 1+r.tolerance && new.Low/old.High >= 1-r.tolerance
}
