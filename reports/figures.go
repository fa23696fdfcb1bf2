package reports

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// This file owns figures in readable units, and the tables of them in Markdown.

// figure is a median with the interval that holds it.
type figure struct{ center, low, high float64 }

// measure returns the median of samples and its 95 % interval, in the unit that
// tidied says. It needs at least one sample.
func measure(samples []float64, unit string) (f figure, tidied string) {
	values := make([]float64, len(samples))
	tidied = unit
	for i, v := range samples {
		values[i], tidied = benchunit.Tidy(v, unit)
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
	return figure{s.Center, s.Lo, s.Hi}, tidied
}

// show returns a value in a tidied unit as "4.100ms" or "95.37MiB/s".
func show(v float64, tidied string) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "unbounded"
	}
	base := " " + tidied
	switch {
	case strings.Contains(tidied, "sec/op"):
		base = "s"
	case strings.HasPrefix(tidied, "B"):
		base = tidied
	}
	return benchunit.Scale(v, benchunit.ClassOf(tidied)) + base
}

// summarize returns the median and its 95 % interval, in readable units.
func summarize(m Measurement) (center, interval string) {
	if len(m.Samples) == 0 {
		return "none", "none"
	}
	f, unit := measure(m.Samples, m.Unit)
	return show(f.center, unit), show(f.low, unit) + " to " + show(f.high, unit)
}

// median returns the median of samples in readable units, "none" for none.
func median(samples []float64, unit string) string {
	center, _ := summarize(Measurement{Unit: unit, Samples: samples})
	return center
}

// withReason returns "worse: why".
func withReason(v Verdict, reason string) string {
	if reason == "" {
		return string(v)
	}
	return string(v) + ": " + reason
}

func measurementsTable(bench *Bench) string {
	if bench == nil {
		return ""
	}
	var b strings.Builder
	if bench.Short {
		b.WriteString("A short run: fewer samples than registered.\n\n")
	}
	if len(bench.Measurements) > 0 {
		b.WriteString("| benchmark | unit | median | 95 % interval | samples | verdict |\n|---|---|---|---|---|---|\n")
	}
	for _, m := range bench.Measurements {
		center, interval := summarize(m)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s |\n", escape(oneLine(m.Name, 80)), escape(oneLine(m.Unit, 40)), escape(center), escape(interval), len(m.Samples),
			escape(oneLine(withReason(m.Verdict, m.Reason), lineLength)))
	}
	if bench.Thresholds != "" {
		fmt.Fprintf(&b, "\nThresholds %s.\n", escape(oneLine(bench.Thresholds, 100)))
	}
	return folded("Measurements", b.String())
}

// changeRow returns a figure of both sides as a row.
func changeRow(c *Change) string {
	return fmt.Sprintf("| %s | %s | %s | %s | %.3f | %s | ±%.0f %% | %s |\n", escape(oneLine(c.Name, 80)), escape(oneLine(c.Unit, 40)), escape(median(c.Old, c.Unit)), escape(median(c.New, c.Unit)),
		c.Ratio.Median, c.Ratio.Interval(), 100*c.Tolerance, escape(oneLine(withReason(c.Verdict, c.Reason), lineLength)))
}

const changeHead = "| figure | unit | before | now | ratio | interval | tolerance | verdict |\n|---|---|---|---|---|---|---|---|\n"

// againstTop returns what a reader of a change must see: broken claims, then the
// figures that are not the same.
func againstTop(a *Against) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## Compared with %s\n\n", escape(oneLine(a.Reference, 100)))
	for i := range a.Claims[:min(len(a.Claims), listLines)] {
		c := &a.Claims[i]
		line := c.line(a.Reference)
		if c.Reason != "" {
			line += ": " + c.Reason
		}
		fmt.Fprintf(&b, "- %s\n", escape(oneLine(line, lineLength)))
	}
	if more := len(a.Claims) - listLines; more > 0 {
		fmt.Fprintf(&b, "- and %d more claims differ\n", more)
	}
	if len(a.Claims) == 0 && a.Compared > 0 {
		fmt.Fprintf(&b, "%s compared, none differs.\n", plural(a.Compared, "claim"))
	}
	b.WriteString("\n")
	rows, more := 0, 0
	for _, v := range []Verdict{Worse, Better, Unknown, Unfit} {
		for i := range a.Changes {
			if a.Changes[i].Verdict != v {
				continue
			}
			if rows++; rows > changedLines {
				more++
				continue
			}
			if rows == 1 {
				b.WriteString(changeHead)
			}
			b.WriteString(changeRow(&a.Changes[i]))
		}
	}
	if rows > 0 {
		b.WriteString("\n")
	}
	if more > 0 {
		fmt.Fprintf(&b, "And %s more.\n\n", plural(more, "figure"))
	}
	if same := a.Count(Same); same > 0 {
		fmt.Fprintf(&b, "%s the same within the tolerance.\n\n", plural(same, "figure"))
	}
	if len(a.Missing) > 0 {
		b.WriteString("Not measured on both sides:\n\n")
		for _, name := range a.Missing[:min(len(a.Missing), listLines)] {
			fmt.Fprintf(&b, "- %s\n", escape(oneLine(name, lineLength)))
		}
		if more := len(a.Missing) - listLines; more > 0 {
			fmt.Fprintf(&b, "- and %d more\n", more)
		}
		b.WriteString("\n")
	}
	if a.Identical {
		b.WriteString("What was measured is the same to the byte on both sides: any difference is noise.\n\n")
	}
	if a.Harness == HarnessIts {
		b.WriteString("The reference was measured by its own benchmarks: where those differ from ours, the figures do not compare.\n\n")
	}
	return b.String()
}

// againstRest returns the figures that are the same.
func againstRest(a *Against) string {
	var b strings.Builder
	for i := range a.Changes {
		if a.Changes[i].Verdict == Same {
			b.WriteString(changeRow(&a.Changes[i]))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return folded("Figures that are the same as at "+oneLine(a.Reference, 100), changeHead+b.String())
}
