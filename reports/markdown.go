package reports

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// This file owns the Markdown form, a comment on a pull request: a short part that
// everybody reads, and everything else folded away.

// MarkdownLimit is how many characters the Markdown form has at most; a comment on
// GitHub holds 65,536.
const MarkdownLimit = 65_000

// Bounds of the part that is not folded.
const (
	listLines    = 20  // lines of a list
	lineLength   = 400 // characters of a line
	changedLines = 30  // rows of the table of changes
)

// block is a part of the document that is kept or cut as a whole.
type block struct{ name, text string }

// Markdown writes the record as Markdown, for a pull request or a terminal. What does
// not fit into [MarkdownLimit] characters is left out, and named at the end.
func Markdown(r *Record, w io.Writer) error {
	blocks := []block{{"the verdict", fmt.Sprintf("# %s\n\n%s\n\n", escape(r.Verdict()), escape(r.summary()))}}
	add := func(name, text string) {
		if text != "" {
			blocks = append(blocks, block{name, text})
		}
	}
	add("why it fails", list("Why it fails", r.Failures()))
	add("what could not be done", list("What could not be done", r.SetupFailures()))
	if r.Against != nil {
		add("the comparison with "+r.Against.Reference, againstTop(r.Against))
	}
	add("what was left out", list("Left out of this run", r.LeftOut))
	add("the known gaps", list("Known gaps", r.gaps()))
	add("the claims", claimsTable(r.Claims))
	add("the measurements", measurementsTable(r.Bench))
	if r.Against != nil {
		add("the figures that did not change", againstRest(r.Against))
	}
	add("what sealing costs", sealingTable(r.Bench))
	add("the walk", walkText(r.Walk))
	add("the sweep", sweepText(r.Sweep))
	add("how it was run", folded("How it was run", facts(r)))
	add("what is not claimed", nonClaims(r.NonClaims))
	for _, failing := range []bool{true, false} {
		for i := range r.Claims {
			if c := &r.Claims[i]; (c.Verdict != Held) == failing {
				add("the evidence for "+c.ID, evidence(c))
			}
		}
	}
	_, err := io.WriteString(w, fit(blocks, MarkdownLimit))
	return err
}

// fit joins blocks up to a number of characters, and says what was cut.
func fit(blocks []block, limit int) string {
	const room = 600 // for the statement
	total := 0
	for _, b := range blocks {
		total += utf8.RuneCountInString(b.text)
	}
	if total > limit {
		limit -= room
	}
	var b strings.Builder
	var cut []string
	used := 0
	for _, one := range blocks {
		n := utf8.RuneCountInString(one.text)
		if used+n > limit {
			cut = append(cut, one.name)
			continue
		}
		used += n
		b.WriteString(one.text)
	}
	if len(cut) > 0 {
		what := strings.Join(cut[:min(len(cut), 3)], ", ")
		if len(cut) > 3 {
			what += fmt.Sprintf(" and %d more parts", len(cut)-3)
		}
		fmt.Fprintf(&b, "Cut to fit a comment: %s. The record and the HTML report have everything.\n", escape(oneLine(what, room/3)))
	}
	return b.String()
}

// summary returns the counts in a sentence or two.
func (r *Record) summary() string {
	s := r.Summarize()
	var sentences []string
	if s.Claims > 0 {
		parts := []string{fmt.Sprintf("%s: %d held", plural(s.Claims, "claim"), s.Held)}
		for _, p := range []struct {
			n    int
			what Verdict
		}{{s.Violated, Violated}, {s.Vacuous, Vacuous}, {s.Unsupported, Unsupported}, {s.Open, Open}, {s.NotRun, NotRun}} {
			if p.n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
			}
		}
		sentences = append(sentences, strings.Join(parts, ", "))
	}
	if s.Attacks > 0 {
		sentences = append(sentences, fmt.Sprintf("%d of %d attacks ended safely (%d of them harmless programs that must work)", s.AttacksHeld, s.Attacks, s.Canaries))
	}
	if s.Controls > 0 {
		sentences = append(sentences, fmt.Sprintf("%d of %d controls tripped", s.Tripped, s.Controls))
	}
	if a := r.Against; a != nil && len(a.Changes) > 0 {
		parts := []string{plural(len(a.Changes), "figure") + " compared"}
		for _, v := range []Verdict{Worse, Better, Unknown, Unfit, Same} {
			if n := a.Count(v); n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, v))
			}
		}
		sentences = append(sentences, strings.Join(parts, ", "))
	}
	if len(sentences) == 0 {
		return ""
	}
	return strings.Join(sentences, ". ") + "."
}

// gaps returns the claims that are open or not supported, one line each.
func (r *Record) gaps() []string {
	var lines []string
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Verdict == Open || c.Verdict == Unsupported {
			lines = append(lines, fmt.Sprintf("%s (%s): %s", c.ID, c.Verdict, c.Reason))
		}
	}
	return lines
}

func list(title string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", title)
	for _, line := range lines[:min(len(lines), listLines)] {
		fmt.Fprintf(&b, "- %s\n", escape(oneLine(line, lineLength)))
	}
	if more := len(lines) - listLines; more > 0 {
		fmt.Fprintf(&b, "- and %d more\n", more)
	}
	b.WriteString("\n")
	return b.String()
}

// folded returns text under a heading that a reader opens.
func folded(title, text string) string {
	if text == "" {
		return ""
	}
	return "<details><summary>" + escape(title) + "</summary>\n\n" + strings.TrimRight(text, "\n") + "\n\n</details>\n\n"
}

// boundaries returns the boundaries of the claims in the order of the contract, from
// the program outwards, and after them those that it does not know.
func boundaries(claims []Claim) []string {
	var out []string
	seen := map[string]bool{}
	add := func(boundary string) {
		if !seen[boundary] {
			seen[boundary] = true
			out = append(out, boundary)
		}
	}
	for _, boundary := range []string{"isolate", "process", "message", "network", "adapter"} {
		for i := range claims {
			if claims[i].Boundary == boundary {
				add(boundary)
			}
		}
	}
	for i := range claims {
		add(claims[i].Boundary)
	}
	return out
}

// claimsTable returns one table for each boundary, folded.
func claimsTable(claims []Claim) string {
	var b strings.Builder
	for _, boundary := range boundaries(claims) {
		var rows strings.Builder
		held, all := 0, 0
		for i := range claims {
			c := &claims[i]
			if c.Boundary != boundary {
				continue
			}
			all++
			if c.Verdict == Held {
				held++
			}
			t := c.tally()
			fmt.Fprintf(&rows, "| %s | **%s** %s | %s | %d of %d | %d of %d | %.0f ms |\n", escape(string(c.Verdict)), escape(oneLine(c.ID, 80)), escape(oneLine(c.Title, lineLength)),
				escape(oneLine(c.Severity, 20)), t.held, len(c.Attacks), t.tripped, len(c.Controls), t.slowest)
		}
		title := fmt.Sprintf("Claims at the %s boundary: %d of %d held", oneLine(boundary, 40), held, all)
		b.WriteString(folded(title, "| verdict | claim | severity | attacks | controls | slowest |\n|---|---|---|---|---|---|\n"+rows.String()))
	}
	return b.String()
}

// tally is what stands in a claim's row.
type tally struct {
	held, tripped int
	slowest       float64 // milliseconds
}

func (c *Claim) tally() tally {
	var t tally
	for _, a := range c.Attacks {
		if a.Outcome == AttackHeld {
			t.held++
		}
		t.slowest = max(t.slowest, a.Evidence.WallMS)
	}
	for _, control := range c.Controls {
		if control.Outcome == Tripped {
			t.tripped++
		}
	}
	return t
}

func nonClaims(all []NonClaim) string {
	var b strings.Builder
	for _, n := range all {
		fmt.Fprintf(&b, "- **%s** (%s). %s *What an operator can do:* %s\n", escape(oneLine(n.Title, lineLength)), escape(oneLine(n.ID, 80)),
			escape(oneLine(n.Statement, 2*lineLength)), escape(oneLine(n.Mitigation, 2*lineLength)))
	}
	return folded("What is not claimed", b.String())
}

// evidence returns what was seen of one claim.
func evidence(c *Claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nEnforced by %s.\n\n", escape(oneLine(c.Statement, 3*lineLength)), codeList(c.Owners))
	for _, a := range c.Attacks {
		fmt.Fprintf(&b, "- %s **%s** (%s): %s. %s\n", escape(string(a.Outcome)), escape(oneLine(a.Name, 80)), escape(oneLine(a.Source, 40)), escape(oneLine(a.Title, lineLength)), evidenceLine(a.Evidence))
		for _, wrong := range a.Wrong[:min(len(a.Wrong), listLines)] {
			fmt.Fprintf(&b, "  - %s\n", escape(oneLine(wrong, lineLength)))
		}
	}
	for _, control := range c.Controls {
		fmt.Fprintf(&b, "- control **%s** on %s: %s", escape(oneLine(control.Name, 80)), code(control.File, 200), escape(string(control.Outcome)))
		if len(control.Tripped) > 0 {
			fmt.Fprintf(&b, " by %s", escape(oneLine(strings.Join(control.Tripped, ", "), lineLength)))
		}
		if control.Reason != "" {
			fmt.Fprintf(&b, ", %s", escape(oneLine(control.Reason, lineLength)))
		}
		if how := control.How(); how != "" {
			fmt.Fprintf(&b, " (%s)", escape(oneLine(how, lineLength)))
		}
		b.WriteString("\n")
	}
	return folded(fmt.Sprintf("%s: %s", c.Verdict, oneLine(c.ID, 80)), b.String())
}

func evidenceLine(e Evidence) string {
	parts := []string{fmt.Sprintf("%.0f ms", e.WallMS)}
	if e.WithinMS > 0 {
		parts[0] += fmt.Sprintf(" of %.0f", e.WithinMS)
	}
	if len(e.Fault) > 0 {
		parts = append(parts, code(string(e.Fault), 240))
	} else if e.Value != "" {
		parts = append(parts, code(e.Value, 120))
	}
	if e.PeakResident > 0 {
		parts = append(parts, fmt.Sprintf("peak resident %d MiB", e.PeakResident>>20))
	}
	for _, note := range e.Notes[:min(len(e.Notes), listLines)] {
		parts = append(parts, escape(oneLine(note, lineLength)))
	}
	return strings.Join(parts, ", ")
}

// facts returns what was run, where, and how to run it again.
func facts(r *Record) string {
	var b strings.Builder
	for _, f := range r.facts() {
		fmt.Fprintf(&b, "- %s: %s\n", f.Name, escape(oneLine(f.Value, lineLength)))
	}
	return b.String()
}

// fact is one line about the run.
type fact struct{ Name, Value string }

// facts returns what was run, where and how, for a reader.
func (r *Record) facts() []fact {
	var out []fact
	add := func(name, format string, args ...any) {
		if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" {
			out = append(out, fact{name, text})
		}
	}
	add("started", "%s, took %v", r.Started.UTC().Format(time.RFC3339), duration(r.DurationMS))
	modified := ""
	if r.Build.Modified {
		modified = ", modified"
	}
	add("build", "%s %s %s%s", r.Build.Module, r.Build.Version, r.Build.Revision, modified)
	add("engine", "V8 %s, %s, protocol %d", r.Build.Engine, r.Build.Go, r.Build.Protocol)
	add("sealing profile", "%s", r.Build.Profile)
	add("host", "%s/%s, %s, %d CPUs (%s), load %.2f", r.Host.OS, r.Host.Arch, r.Host.Kernel, r.Host.CPUs, r.Host.CPU, r.Host.Load)
	if r.Host.Memory > 0 {
		add("memory", "%.1f GiB", float64(r.Host.Memory)/(1<<30))
	}
	add("frequency governor", "%s", r.Host.Governor)
	add("transparent huge pages", "%s", r.Host.HugePages)
	if r.Verify.Repeat > 0 {
		add("order", "seed %d, each attack %d times", r.Verify.Seed, r.Verify.Repeat)
	}
	add("target", "%s", r.Verify.Target)
	if r.Verify.Parallel > 1 {
		add("at a time", "%d attacks", r.Verify.Parallel)
	}
	add("selected", "%s", r.Verify.Run)
	if r.Bench != nil {
		add("thresholds", "%s", r.Bench.Thresholds)
	}
	if a := r.Against; a != nil {
		add("compared with", "%s (%s), %s", a.Reference, a.Revision, a.How())
	}
	add("to repeat it", "%s", r.repeat())
	return out
}

// repeat returns the command that does the run again.
func (r *Record) repeat() string {
	switch {
	case r.Against != nil:
		if r.Against.Release {
			return "gate ab --release " + quote(r.Against.Reference)
		}
		return "gate ab " + quote(r.Against.Reference)
	case r.Verify.Run != "":
		return fmt.Sprintf("gate verify --seed %d --repeat %d --run %s", r.Verify.Seed, max(r.Verify.Repeat, 1), quote(r.Verify.Run))
	case r.Verify.Repeat > 0:
		return fmt.Sprintf("gate --seed %d --repeat %d", r.Verify.Seed, r.Verify.Repeat)
	case r.Bench != nil && r.Bench.Short:
		return "gate bench --short"
	case r.Bench != nil:
		return "gate bench"
	}
	return ""
}

// quote quotes a word for a shell.
func quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./~^@", r))
	}) && !strings.HasPrefix(word, "~") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// duration returns milliseconds as a time, rounded for reading.
func duration(ms int64) time.Duration {
	return (time.Duration(ms) * time.Millisecond).Round(100 * time.Millisecond)
}

func codeList(names []string) string {
	quoted := make([]string, 0, listLines)
	for _, name := range names[:min(len(names), listLines)] {
		quoted = append(quoted, code(name, 200))
	}
	if more := len(names) - listLines; more > 0 {
		quoted = append(quoted, fmt.Sprintf("%d more", more))
	}
	return strings.Join(quoted, ", ")
}

// code returns text as a code span of one line, cut to n characters.
func code(text string, n int) string {
	return "`" + strings.ReplaceAll(oneLine(text, n), "`", "'") + "`"
}

// escaper takes the meaning from every character that has one in Markdown as GitHub
// reads it, where text may also mention people, point to other pages and load pictures.
var escaper = strings.NewReplacer(
	"\n", " ", `\`, `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;", "*", `\*`, "`", "'", "[", `\[`, "]", `\]`, "~~", `\~\~`,
	"@", "&#64;", "#", "&#35;", "://", "&#58;//", "www.", "www&#46;", "GH-", "GH&#45;",
)

// escape makes text safe inside a line of Markdown.
func escape(text string) string { return escaper.Replace(visible(text)) }
