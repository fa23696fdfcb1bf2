package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchunit"
)

// This file owns the Markdown form: the verdict first, then what fails, the
// known gaps, the claims by boundary, and the measurements.

// Markdown writes the record as Markdown, for a pull request or a terminal.
func Markdown(r *Record, w io.Writer) error {
	var b strings.Builder
	s := r.Summarize()
	fmt.Fprintf(&b, "# %s\n\n", r.Verdict())
	fmt.Fprintf(&b, "%s\n\n", sumLine(s))
	writeList(&b, "Why it fails", r.Failures())
	writeList(&b, "What could not be done", r.SetupFailures())
	writeGaps(&b, r.Claims)
	writeClaims(&b, r.Claims)
	writeNonClaims(&b, r.NonClaims)
	if r.Walk != nil {
		writeWalk(&b, r.Walk)
	}
	if r.Bench != nil {
		writeMeasurements(&b, r.Bench)
		if r.Bench.Sealing != nil {
			writeSealing(&b, r.Bench.Sealing)
		}
	}
	writeDetails(&b, r.Claims)
	writeFacts(&b, r)
	_, err := io.WriteString(w, b.String())
	return err
}

func sumLine(s Summary) string {
	parts := []string{fmt.Sprintf("%d claims: %d held", s.Claims, s.Held)}
	for _, p := range []struct {
		n    int
		what string
	}{{s.Violated, "violated"}, {s.Vacuous, "vacuous"}, {s.Unsupported, "unsupported"}, {s.Open, "open"}, {s.NotRun, "not run"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	line := strings.Join(parts, ", ") + fmt.Sprintf(". %d of %d attacks ended safely (%d of them harmless programs that must work).", s.AttacksHeld, s.Attacks, s.Canaries)
	if s.Controls > 0 {
		line += fmt.Sprintf(" %d of %d controls tripped.", s.Tripped, s.Controls)
	}
	return line
}

func writeList(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "## %s\n\n", title)
	for _, line := range lines {
		fmt.Fprintf(b, "- %s\n", escape(line))
	}
	b.WriteString("\n")
}

func writeGaps(b *strings.Builder, claims []Claim) {
	var lines []string
	for i := range claims {
		if c := &claims[i]; c.Verdict == Open || c.Verdict == Unsupported {
			lines = append(lines, fmt.Sprintf("%s (%s): %s", c.ID, c.Verdict, c.Reason))
		}
	}
	writeList(b, "Known gaps", lines)
}

func writeClaims(b *strings.Builder, claims []Claim) {
	for _, boundary := range boundaries(claims) {
		fmt.Fprintf(b, "## Claims at the %s boundary\n\n", boundary)
		b.WriteString("| verdict | claim | severity | attacks | controls | slowest |\n|---|---|---|---|---|---|\n")
		for i := range claims {
			c := &claims[i]
			if c.Boundary != boundary {
				continue
			}
			held, slowest := 0, 0.0
			for _, a := range c.Attacks {
				if a.Outcome == AttackHeld {
					held++
				}
				slowest = max(slowest, a.Evidence.WallMS)
			}
			tripped := 0
			for _, control := range c.Controls {
				if control.Outcome == Tripped {
					tripped++
				}
			}
			fmt.Fprintf(b, "| %s | **%s** %s | %s | %d of %d | %d of %d | %.0f ms |\n", c.Verdict, c.ID, escape(c.Title), c.Severity,
				held, len(c.Attacks), tripped, len(c.Controls), slowest)
		}
		b.WriteString("\n")
	}
}

func writeNonClaims(b *strings.Builder, nonClaims []NonClaim) {
	if len(nonClaims) == 0 {
		return
	}
	b.WriteString("## What is not claimed\n\n")
	for _, n := range nonClaims {
		fmt.Fprintf(b, "- **%s** (%s). %s *What an operator can do:* %s\n", escape(n.Title), n.ID, sentence(n.Statement), sentence(n.Mitigation))
	}
	b.WriteString("\n")
}

// sentence makes a text of several lines one.
func sentence(text string) string { return escape(strings.Join(strings.Fields(text), " ")) }

// boundaries returns the boundaries of the claims in order of appearance in the
// contract: from the program outwards.
func boundaries(claims []Claim) []string {
	order := []string{"isolate", "process", "message", "network", "adapter"}
	var out []string
	for _, boundary := range order {
		for i := range claims {
			if claims[i].Boundary == boundary {
				out = append(out, boundary)
				break
			}
		}
	}
	return out
}

func writeMeasurements(b *strings.Builder, bench *Bench) {
	b.WriteString("## Measurements\n\n")
	if bench.Short {
		b.WriteString("A short run: fewer samples than registered.\n\n")
	}
	if len(bench.Measurements) > 0 {
		b.WriteString("| benchmark | unit | median | 95 % interval | samples | verdict |\n|---|---|---|---|---|---|\n")
	}
	for _, m := range bench.Measurements {
		center, interval := summarize(m)
		verdict := string(m.Verdict)
		if m.Reason != "" {
			verdict += ": " + m.Reason
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %s |\n", m.Name, m.Unit, center, interval, len(m.Samples), escape(verdict))
	}
	fmt.Fprintf(b, "\nThresholds %s.\n\n", bench.Thresholds)
}

// summarize returns the median and its 95 % interval, in readable units.
func summarize(m Measurement) (center, interval string) {
	if len(m.Samples) == 0 {
		return "none", "none"
	}
	values := make([]float64, len(m.Samples))
	unit := m.Unit
	for i, v := range m.Samples {
		values[i], unit = benchunit.Tidy(v, m.Unit)
	}
	summary := benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
	class, base := benchunit.ClassOf(unit), unit
	if strings.Contains(unit, "sec/op") {
		base = "s"
	}
	show := func(v float64) string { return benchunit.Scale(v, class) + base }
	return show(summary.Center), show(summary.Lo) + " to " + show(summary.Hi)
}

func writeDetails(b *strings.Builder, claims []Claim) {
	b.WriteString("## Evidence\n\n")
	for i := range claims {
		c := &claims[i]
		fmt.Fprintf(b, "<details><summary>%s: %s</summary>\n\n", c.Verdict, c.ID)
		fmt.Fprintf(b, "%s\n\nEnforced by %s.\n\n", escape(strings.TrimSpace(c.Statement)), codeList(c.Owners))
		for _, a := range c.Attacks {
			fmt.Fprintf(b, "- %s **%s** (%s): %s. %s\n", a.Outcome, a.Name, escape(a.Source), escape(a.Title), evidenceLine(a.Evidence))
			for _, wrong := range a.Wrong {
				fmt.Fprintf(b, "  - %s\n", escape(wrong))
			}
		}
		for _, control := range c.Controls {
			fmt.Fprintf(b, "- control **%s** on `%s`: %s", control.Name, control.File, control.Outcome)
			if len(control.Tripped) > 0 {
				fmt.Fprintf(b, " by %s", strings.Join(control.Tripped, ", "))
			}
			if control.Reason != "" {
				fmt.Fprintf(b, ", %s", escape(control.Reason))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n</details>\n\n")
	}
}

func evidenceLine(e Evidence) string {
	parts := []string{fmt.Sprintf("%.0f ms", e.WallMS)}
	if e.WithinMS > 0 {
		parts[0] += fmt.Sprintf(" of %.0f", e.WithinMS)
	}
	if len(e.Fault) > 0 {
		parts = append(parts, "`"+oneLine(string(e.Fault), 240)+"`")
	} else if e.Value != "" {
		parts = append(parts, "`"+oneLine(e.Value, 120)+"`")
	}
	if e.PeakResident > 0 {
		parts = append(parts, fmt.Sprintf("peak resident %d MiB", e.PeakResident>>20))
	}
	for _, note := range e.Notes {
		parts = append(parts, escape(note))
	}
	return strings.Join(parts, ", ")
}

func writeFacts(b *strings.Builder, r *Record) {
	b.WriteString("## Run\n\n")
	row := func(name, format string, args ...any) {
		fmt.Fprintf(b, "- %s: %s\n", name, fmt.Sprintf(format, args...))
	}
	row("started", "%s, took %v", r.Started.UTC().Format(time.RFC3339), (time.Duration(r.DurationMS) * time.Millisecond).Round(100*time.Millisecond))
	modified := ""
	if r.Build.Modified {
		modified = ", modified"
	}
	row("build", "%s %s %s%s", r.Build.Module, r.Build.Version, r.Build.Revision, modified)
	row("engine", "V8 %s, %s, protocol %d", r.Build.Engine, r.Build.Go, r.Build.Protocol)
	row("host", "%s/%s, %s, %d CPUs (%s), load %.2f", r.Host.OS, r.Host.Arch, r.Host.Kernel, r.Host.CPUs, r.Host.CPU, r.Host.Load)
	if r.Verify.Repeat > 0 {
		row("order", "seed %d, each attack %d times", r.Verify.Seed, r.Verify.Repeat)
	}
}

func codeList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + name + "`"
	}
	return strings.Join(quoted, ", ")
}

// oneLine cuts a text to n bytes and removes what would end a code span or a table cell.
func oneLine(text string, n int) string {
	if len(text) > n {
		text = strings.ToValidUTF8(text[:n], "") + "…"
	}
	return strings.NewReplacer("\n", " ", "`", "'", "|", "\\|").Replace(text)
}

// escape makes text safe inside a line of Markdown.
func escape(text string) string {
	return strings.NewReplacer("\n", " ", "|", "\\|", "<", "&lt;", "*", "\\*", "`", "'").Replace(text)
}
