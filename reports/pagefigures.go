package reports

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/isogate/isogate/reports/plots"
)

// This file owns the figures on the page: tables and plots.

// plotView is a plot with its title and what it shows.
type plotView struct {
	Title, Text string
	plots.Picture
}

// changeView is a row of the table of a comparison.
type changeView struct {
	*Change
	Before, Now, Interval, Tolerance, P string
	Reason                              string
}

type againstView struct {
	*Against
	Broken  []brokenView
	Others  []brokenView
	Changes []changeView
	Plot    *plotView
}

type brokenView struct {
	link
	Verdict Verdict
	Reason  string
}

// inkOf returns the ink for a verdict on a figure.
func inkOf(v Verdict) plots.Ink {
	switch v {
	case Worse:
		return plots.Bad
	case Better:
		return plots.Good
	case Unknown, Unfit:
		return plots.Doubt
	}
	return plots.Mark
}

func viewAgainst(a *Against, anchors map[string]string) *againstView {
	v := &againstView{Against: a}
	broken := map[string]bool{}
	for _, c := range a.Broken() {
		broken[c.ID] = true
		v.Broken = append(v.Broken, brokenView{link{c.line(a.Reference), anchors[c.ID]}, c.New, c.Reason})
	}
	for _, c := range a.Claims {
		if !broken[c.ID] {
			v.Others = append(v.Others, brokenView{link{c.line(a.Reference), anchors[c.ID]}, c.New, c.Reason})
		}
	}
	plot := plots.Ratios{ID: "ratios", Title: "Ratios to " + a.Reference, Format: ratio}
	var words []string
	for _, verdict := range []Verdict{Worse, Better, Unknown, Unfit, Same} {
		for i := range a.Changes {
			c := &a.Changes[i]
			if c.Verdict != verdict {
				continue
			}
			p := ""
			if c.P > 0 && !c.Exact {
				p = fmt.Sprintf("%.3f", c.P)
			}
			v.Changes = append(v.Changes, changeView{
				Change: c, Before: middle(c.Old, c.Unit), Now: middle(c.New, c.Unit), Interval: interval(c.Ratio),
				Tolerance: fmt.Sprintf("±%.0f %%", 100*c.Tolerance), P: p, Reason: c.Reason,
			})
			row := plots.Ratio{
				Label: c.Name + " " + shortUnit(c.Unit), Note: fmt.Sprintf("%s %.3f", c.Verdict, c.Ratio.Median), Interval: plots.Interval{Center: c.Ratio.Median, Low: c.Ratio.Low, High: c.Ratio.High},
				Least: 1 - c.Tolerance, Most: 1 + c.Tolerance, Ink: inkOf(c.Verdict),
			}
			if k := c.Calibration; k != nil {
				row.Calibration = &plots.Interval{Center: k.Median, Low: k.Low, High: k.High}
			}
			plot.Rows = append(plot.Rows, row)
			words = append(words, fmt.Sprintf("%s %s %.3f (%s)", c.Name, c.Unit, c.Ratio.Median, c.Verdict))
		}
	}
	plot.Description = strings.Join(words, "; ")
	if picture := plot.Picture(); !picture.Empty() {
		v.Plot = &plotView{"Now, as a ratio to before", "Each line is the interval that holds the median of the paired ratios, the dot the median. " +
			"Grey is the tolerance, within which a change counts as none. The thin line above is this build compared with itself.", picture}
	}
	return v
}

// interval returns "0.98 to 1.03".
func interval(r Ratio) string {
	if r.High == math.MaxFloat64 {
		return "too few pairs"
	}
	return fmt.Sprintf("%.3f to %.3f", r.Low, r.High)
}

// ratio returns a ratio for an axis.
func ratio(v float64) string { return trimmed(fmt.Sprintf("%.3f", v)) }

// trimmed takes the zeros from the end of a decimal fraction.
func trimmed(text string) string {
	if !strings.Contains(text, ".") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// shortUnit returns a unit for a label: what is left out is what every row has.
func shortUnit(unit string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(unit, "ns/op"), "-"), "sec/op")
}

type benchView struct {
	*Bench
	Plots []plotView
	Rows  []measurementView
	// Ceilings and Calibrated say that some row has one.
	Ceilings, Calibrated bool
	Sealing              *Sealing
	Text                 string
	SealRows             []sealingView
	SealPlot             *plotView
}

type measurementView struct {
	*Measurement
	Center, Interval, Ceiling, Spread, Calibration string
}

type sealingView struct {
	*Comparison
	Sealed, Unsealed, Interval, Bounds string
	Pairs                              int
}

// quantity is a group of figures on one axis.
type quantity struct{ id, title, text string }

// quantityOf returns the group that a tidied unit belongs to.
func quantityOf(unit string) quantity {
	switch {
	case strings.Contains(unit, "sec"):
		return quantity{"times", "How long things take", "Each dot is one sample, a ring one that lies far from the others; the line is their median, grey its 95 % interval, the dashed line the registered ceiling. The axis is logarithmic."}
	case unit == "B/s":
		return quantity{"throughput", "How much goes through", "Each dot is one sample; the line is their median, grey its 95 % interval. The axis does not begin at 0."}
	case strings.HasPrefix(unit, "B/") || unit == "B":
		return quantity{"memory", "How much memory", "Each dot is one sample; the line is their median, grey its 95 % interval. The axis does not begin at 0."}
	}
	return quantity{"counts", "How many", "Each dot is one sample. What is counted exactly has one value."}
}

func viewBench(b *Bench) *benchView {
	v := &benchView{Bench: b, Sealing: b.Sealing}
	groups := map[string]*plots.Distribution{}
	order := []quantity{}
	for i := range b.Measurements {
		m := &b.Measurements[i]
		row := measurementView{Measurement: m}
		row.Center, row.Interval = between(m.Samples, m.Unit)
		if m.Ceiling != 0 {
			value, unit := benchunit.Tidy(m.Ceiling, m.Unit)
			row.Ceiling = spaced(value, unit)
			v.Ceilings = true
		}
		if m.Tolerance > 0 {
			row.Spread = fmt.Sprintf("±%.0f %%", 100*m.Tolerance)
		}
		if m.Calibration != nil {
			row.Calibration = interval(*m.Calibration)
			v.Calibrated = true
		}
		v.Rows = append(v.Rows, row)
		if len(m.Samples) == 0 {
			continue
		}
		f, unit := measure(m.Samples, m.Unit)
		q := quantityOf(unit)
		if q.id == "counts" {
			q.id, q.title = q.id+"-"+unit, q.title+" ("+unit+")"
		}
		if groups[q.id] == nil {
			groups[q.id] = &plots.Distribution{ID: fmt.Sprintf("samples-%d", len(order)), Title: q.title, Log: strings.Contains(unit, "sec"), Unit: unit}
			order = append(order, q)
		}
		s := plots.Samples{Label: strings.TrimSpace(m.Name + " " + sampleLabel(m.Unit)), Note: row.Center, Outliers: m.Outliers, Center: f.center, Low: f.low, High: f.high, Ink: inkOf(m.Verdict)}
		if s.Ink == plots.Doubt {
			s.Ink = plots.Mark // nothing to compare with is no doubt about the samples
		}
		for _, sample := range m.Samples {
			value, _ := benchunit.Tidy(sample, m.Unit)
			s.Values = append(s.Values, value)
		}
		if m.Ceiling != 0 {
			s.Ceiling, _ = benchunit.Tidy(m.Ceiling, m.Unit)
		}
		groups[q.id].Rows = append(groups[q.id].Rows, s)
	}
	for _, q := range order {
		d := groups[q.id]
		if flat(d) {
			continue // a picture of one value says less than the table
		}
		var words []string
		most := 0.0
		for _, row := range d.Rows {
			words = append(words, fmt.Sprintf("%s %s", row.Label, row.Note))
			for _, v := range row.Values {
				most = max(most, math.Abs(v))
			}
		}
		unit, p := d.Unit, power(most, d.Unit)
		d.Scale(1 / p)
		d.Format = func(v float64) string { return short(v*p, unit) }
		d.Description = "Medians: " + strings.Join(words, "; ")
		if picture := d.Picture(); !picture.Empty() {
			v.Plots = append(v.Plots, plotView{q.title, q.text, picture})
		}
	}
	calibrations(v, b)
	if b.Sealing != nil {
		viewSealing(v, b.Sealing)
	}
	return v
}

// calibrations draws what this build gave when it was compared with itself.
func calibrations(v *benchView, b *Bench) {
	plot := plots.Ratios{ID: "calibration", Title: "This build compared with itself", Format: ratio}
	var words []string
	for i := range b.Measurements {
		m := &b.Measurements[i]
		if m.Calibration == nil {
			continue
		}
		plot.Rows = append(plot.Rows, plots.Ratio{
			Label: strings.TrimSpace(m.Name + " " + sampleLabel(m.Unit)), Note: fmt.Sprintf("%.3f", m.Calibration.Median),
			Interval: plots.Interval{Center: m.Calibration.Median, Low: m.Calibration.Low, High: m.Calibration.High},
			Least:    1 - m.Tolerance, Most: 1 + m.Tolerance, Ink: inkOf(map[bool]Verdict{true: Unfit, false: Same}[m.Verdict == Unfit]),
		})
		words = append(words, fmt.Sprintf("%s %s %.3f", m.Name, m.Unit, m.Calibration.Median))
	}
	plot.Description = strings.Join(words, "; ")
	if picture := plot.Picture(); !picture.Empty() {
		v.Plots = append(v.Plots, plotView{"This build compared with itself", "What the machine alone makes differ. A line that leaves the grey tolerance means that this machine could not judge the figure.", picture})
	}
}

func viewSealing(v *benchView, s *Sealing) {
	v.Text = s.text()
	plot := plots.Ratios{ID: "sealing", Title: "Sealed to unsealed", Format: ratio}
	var words []string
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		v.SealRows = append(v.SealRows, sealingView{c, middle(c.Sealed, c.Unit), middle(c.Unsealed, c.Unit), fmt.Sprintf("%.3f to %.3f", c.Low, c.High), c.Bounds(), min(len(c.Sealed), len(c.Unsealed))})
		plot.Rows = append(plot.Rows, plots.Ratio{
			Label: c.Name, Note: fmt.Sprintf("%s %.3f", c.Verdict, c.Ratio), Interval: plots.Interval{Center: c.Ratio, Low: c.Low, High: c.High}, Least: c.Least, Most: c.Most, Ink: inkOf(c.Verdict),
		})
		words = append(words, fmt.Sprintf("%s %.3f, must be %s", c.Name, c.Ratio, c.Bounds()))
	}
	plot.Description = strings.Join(words, "; ")
	if picture := plot.Picture(); !picture.Empty() {
		v.SealPlot = &plotView{"Sealed, as a ratio to unsealed", "Each line is the interval that holds the median, the dot the median. Grey is what is permitted.", picture}
	}
}

// flat reports whether all samples of every row are one value.
func flat(d *plots.Distribution) bool {
	for _, r := range d.Rows {
		for _, v := range r.Values {
			if v != r.Values[0] {
				return false
			}
		}
	}
	return true
}

// sampleLabel returns what tells the units of one benchmark apart.
func sampleLabel(unit string) string {
	name, _, found := strings.Cut(unit, "-")
	if found {
		return name
	}
	return ""
}

// spaced returns a value in a tidied unit for reading: "5.120 ms", "40.00 MiB".
func spaced(v float64, unit string) string {
	digits, rest := parts(v, unit)
	return strings.TrimSpace(digits + " " + rest)
}

// short is spaced without zeros at the end, for an axis.
func short(v float64, unit string) string {
	digits, rest := parts(v, unit)
	return strings.TrimSpace(trimmed(digits) + " " + rest)
}

// parts returns the digits of a value in a tidied unit, and what follows them.
func parts(v float64, unit string) (digits, rest string) {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "unbounded", ""
	}
	scaled := benchunit.Scale(v, benchunit.ClassOf(unit))
	digits = strings.TrimRight(scaled, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ")
	base := ""
	switch {
	case strings.Contains(unit, "sec"):
		base = "s"
	case unit == "B/s":
		base = "B/s"
	case strings.HasPrefix(unit, "B"):
		base = "B"
	}
	return digits, scaled[len(digits):] + base
}

// between returns the median of samples and its interval for a table.
func between(samples []float64, unit string) (center, interval string) {
	if len(samples) == 0 {
		return "none", ""
	}
	f, unit := measure(samples, unit)
	return spaced(f.center, unit), spaced(f.low, unit) + " to " + spaced(f.high, unit)
}

// middle returns the median of samples for a table.
func middle(samples []float64, unit string) string {
	center, _ := between(samples, unit)
	return center
}

// power returns the power of 1024 that values of a unit in bytes are shown in, and 1 for
// other units, so that the ticks of an axis are round.
func power(most float64, unit string) float64 {
	if !strings.HasPrefix(unit, "B") {
		return 1
	}
	p := 1.0
	for most/p >= 1024 && p < 1<<40 {
		p *= 1024
	}
	return p
}

// timesPlot shows for each boundary how much of the time that they are given attacks
// took.
func timesPlot(claims []Claim) *plotView {
	d := plots.Distribution{
		ID: "bounds", Title: "Time that attacks took, of what they are given", Span: []float64{0, 1},
		Format: func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) },
	}
	var words []string
	for _, boundary := range boundaries(claims) {
		row := plots.Samples{Label: boundary + " boundary", Ceiling: 1, Ink: plots.Quiet}
		for i := range claims {
			if claims[i].Boundary != boundary {
				continue
			}
			for _, a := range claims[i].Attacks {
				if a.Evidence.WithinMS > 0 {
					row.Values = append(row.Values, a.Evidence.WallMS/a.Evidence.WithinMS)
				}
			}
		}
		if len(row.Values) == 0 {
			continue
		}
		row.Note = plural(len(row.Values), "attack")
		most := 0.0
		for _, v := range row.Values {
			most = max(most, v)
		}
		words = append(words, fmt.Sprintf("%s: %s, at most %.0f %%", row.Label, row.Note, 100*most))
		d.Rows = append(d.Rows, row)
	}
	if len(d.Rows) == 0 {
		return nil
	}
	d.Description = strings.Join(words, "; ")
	picture := d.Picture()
	if picture.Empty() {
		return nil
	}
	return &plotView{d.Title, "Each dot is an attack with a bound on its time; the dashed line is the bound.", picture}
}
