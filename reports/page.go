package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// This file owns what the page shows: the record as its template needs it, every text
// already harmless to look at.

// page is what the template is given.
type page struct {
	State           State
	Headline        string
	Stats           []stat
	Build           string
	When            string
	Took            time.Duration
	Sections        []section
	Failures, Setup []link
	LeftOut         []string
	Gaps            []gap
	Against         *againstView
	Boundaries      []boundaryView
	Filters         []filter
	Times           *plotView
	Bench           *benchView
	Walk            *Walk
	WalkText        string
	Sweep           *sweepView
	NonClaims       []NonClaim
	Facts           []fact
}

// section is an entry of the contents.
type section struct{ ID, Title string }

// link is a line that leads to the claim it is about.
type link struct{ Text, To string }

type gap struct {
	link
	Verdict Verdict
	Reason  string
}

// stat is a count at the top of the page.
type stat struct {
	Count int
	Of    string // "" where there is no whole
	What  string
}

// stats returns the counts that answer most readers.
func (r *Record) stats() []stat {
	s := r.Summarize()
	var out []stat
	add := func(count, of int, what string) {
		if of > 0 {
			out = append(out, stat{count, fmt.Sprint(of), what})
		}
	}
	add(s.Held, s.Claims, "claims held")
	add(s.AttacksHeld, s.Attacks, "attacks ended safely")
	add(s.Tripped, s.Controls, "controls noticed")
	if a := r.Against; a != nil && len(a.Changes) > 0 {
		what := "figures worse"
		if n := a.Count(Unknown) + a.Count(Unfit); n > 0 {
			what += fmt.Sprintf(", %d not decided", n)
		}
		add(a.Count(Worse), len(a.Changes), what)
	} else if s.Measurements > 0 {
		out = append(out, stat{s.Measurements, "", "measurements"})
	}
	if s.Open+s.Unsupported > 0 {
		what := "known gaps"
		if s.Open+s.Unsupported == 1 {
			what = "known gap"
		}
		out = append(out, stat{s.Open + s.Unsupported, "", what})
	}
	return out
}

// filter is a verdict that a reader can ask for.
type filter struct {
	Verdict Verdict
	Count   int
}

type boundaryView struct {
	Name      string
	Held, All int
	Claims    []claimView
}

type claimView struct {
	*Claim
	Anchor  string
	Open    bool
	Line    string
	Attacks []attackView
	Try     string
}

type attackView struct {
	*Attack
	Time  string
	At    string
	Facts []fact
	Fault string
	Value string
	Logs  []string
	Notes []string
	More  []string // what was cut
}

// Bounds of the evidence on the page. The record has all that was kept.
const (
	shownText  = 2000 // characters of a value or a fault
	shownLogs  = 12
	shownLog   = 400 // characters
	shownNotes = 60
)

// newPage returns the page of a record.
func newPage(r *Record) *page {
	r = shown(r)
	p := &page{
		State: r.State(), Headline: r.headline(), Stats: r.stats(), Build: buildLine(r.Build),
		When: r.Started.UTC().Format("2 January 2006, 15:04 UTC"), Took: duration(r.DurationMS),
		LeftOut: r.partial(), Walk: r.Walk, NonClaims: r.NonClaims, Facts: r.facts(),
	}
	anchors := anchorsOf(r.Claims)
	for _, f := range r.findings() {
		l := link{Text: f.line(), To: anchors[f.rule]}
		switch {
		case f.kind == aboutControl:
			p.Setup = append(p.Setup, l)
		case f.fails:
			p.Failures = append(p.Failures, l)
		case f.claim != nil:
			p.Gaps = append(p.Gaps, gap{link{f.claim.ID, l.To}, f.claim.Verdict, f.reason})
		}
	}
	p.claims(r, anchors)
	p.Times = timesPlot(r.Claims)
	if r.Against != nil {
		p.Against = viewAgainst(r.Against, anchors)
	}
	if r.Bench != nil {
		p.Bench = viewBench(r.Bench)
	}
	if r.Walk != nil {
		p.WalkText = r.Walk.text()
	}
	if r.Sweep != nil {
		p.Sweep = viewSweep(r.Sweep)
	}
	p.contents()
	return p
}

func buildLine(b Build) string {
	line := strings.TrimSpace(b.Module + " " + b.Version)
	if b.Revision != "" {
		line += " at " + shorten(b.Revision, 13)
	}
	if b.Modified {
		line += ", modified"
	}
	return line
}

// partial says in which ways the run was not whole.
func (r *Record) partial() []string {
	out := append([]string(nil), r.LeftOut...)
	if r.Verify.Run != "" {
		out = append(out, "only the attacks that match "+r.Verify.Run+" were tried")
	}
	if r.Bench != nil && r.Bench.Short {
		out = append(out, "the measurements have fewer samples than a full run takes")
	}
	return out
}

func (p *page) claims(r *Record, anchors map[string]string) {
	counts := map[Verdict]int{}
	for _, boundary := range boundaries(r.Claims) {
		b := boundaryView{Name: boundary}
		for i := range r.Claims {
			c := &r.Claims[i]
			if c.Boundary != boundary {
				continue
			}
			b.All++
			if c.Verdict == Held {
				b.Held++
			}
			counts[c.Verdict]++
			b.Claims = append(b.Claims, viewClaim(c, anchors[c.ID]))
		}
		slices.SortStableFunc(b.Claims, func(x, y claimView) int { return cmp.Compare(x.rank(), y.rank()) })
		p.Boundaries = append(p.Boundaries, b)
	}
	for _, v := range []Verdict{Violated, Vacuous, Open, Unsupported, NotRun, Held} {
		if counts[v] > 0 {
			p.Filters = append(p.Filters, filter{v, counts[v]})
		}
	}
}

// rank puts what is wrong before what is known to be open, and that before the rest.
func (c *claimView) rank() int {
	switch {
	case c.Verdict.fails():
		return 0
	case c.Open:
		return 1
	}
	return 2
}

func viewClaim(c *Claim, anchor string) claimView {
	t := c.tally()
	parts := []string{c.Severity}
	if n := len(c.Attacks); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s ended safely", t.held, plural(n, "attack")))
	} else {
		parts = append(parts, "no attacks")
	}
	if n := len(c.Controls); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s tripped", t.tripped, plural(n, "control")))
	}
	if t.slowest > 0 {
		parts = append(parts, "slowest "+milliseconds(t.slowest))
	}
	v := claimView{Claim: c, Anchor: anchor, Open: c.Verdict != Held && c.Verdict != NotRun, Line: strings.Join(parts, " · "), Try: c.try()}
	for i := range c.Attacks {
		v.Attacks = append(v.Attacks, viewAttack(&c.Attacks[i]))
	}
	// What did not end safely comes first.
	slices.SortStableFunc(v.Attacks, func(x, y attackView) int {
		switch xHeld, yHeld := x.Outcome == AttackHeld, y.Outcome == AttackHeld; {
		case xHeld == yHeld:
			return 0
		case yHeld:
			return -1
		}
		return 1
	})
	return v
}

func viewAttack(a *Attack) attackView {
	e := &a.Evidence
	v := attackView{Attack: a, Time: milliseconds(e.WallMS)}
	if e.WithinMS > 0 {
		v.Time += " of " + milliseconds(e.WithinMS)
	}
	if a.Place.File != "" {
		v.At = a.Place.String()
	}
	cut := func(what, text string) string {
		if short := shorten(text, shownText); short != text {
			v.More = append(v.More, fmt.Sprintf("%s is cut; it has %d characters", what, len([]rune(text))))
			return short
		}
		return text
	}
	v.Fault, v.Value = cut("the fault", indented(e.Fault)), cut("the value", e.Value)
	for _, log := range e.Logs[:min(len(e.Logs), shownLogs)] {
		v.Logs = append(v.Logs, shorten(log, shownLog))
	}
	if more := len(e.Logs) - shownLogs; more > 0 {
		v.More = append(v.More, fmt.Sprintf("%d more log entries", more))
	}
	v.Notes = e.Notes[:min(len(e.Notes), shownNotes)]
	if more := len(e.Notes) - shownNotes; more > 0 {
		v.More = append(v.More, fmt.Sprintf("%d more notes", more))
	}
	add := func(name, value string) { v.Facts = append(v.Facts, fact{name, value}) }
	if e.CPUMS > 0 {
		add("processor time", milliseconds(e.CPUMS))
	}
	for _, m := range []struct {
		name  string
		bytes int64
	}{{"peak heap", e.PeakHeap}, {"peak external", e.PeakExternal}, {"peak resident", e.PeakResident}} {
		if m.bytes > 0 {
			add(m.name, mebibytes(m.bytes))
		}
	}
	if e.Attempts > 1 {
		text := fmt.Sprint(e.Attempts)
		if e.Late > 0 {
			text += fmt.Sprintf(", %d late", e.Late)
		}
		add("attempts", text)
	}
	if a.Source != "" {
		add("source", a.Source)
	}
	return v
}

// sweepView is the sweep, the survivors first.
type sweepView struct {
	Text    string
	Mutants []SweepMutant
}

func viewSweep(s *Sweep) *sweepView {
	v := &sweepView{Text: s.text(), Mutants: slices.Clone(s.Mutants)}
	order := []SweepOutcome{SweepSurvived, SweepBroken, SweepEquivalent, SweepKilled}
	slices.SortStableFunc(v.Mutants, func(x, y SweepMutant) int {
		return cmp.Compare(slices.Index(order, x.Outcome), slices.Index(order, y.Outcome))
	})
	return v
}

// indented returns a fault's wire form for reading.
func indented(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	text, err := json.MarshalIndent(raw, "", "  ")
	if err != nil {
		return string(raw)
	}
	return unescaper.Replace(string(text))
}

// unescaper undoes what JSON escapes for the sake of HTML, which the template does.
var unescaper = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// milliseconds returns "12 ms", "1.24 s".
func milliseconds(ms float64) string {
	switch {
	case ms >= 1000:
		return fmt.Sprintf("%.2f s", ms/1000)
	case ms >= 10:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f ms", ms)
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// plain are the ids that can be an anchor as they are.
var plain = regexp.MustCompile(`^[a-z][a-z0-9-]{0,80}$`)

// anchorsOf returns an anchor for each claim, by its id.
func anchorsOf(claims []Claim) map[string]string {
	out := map[string]string{}
	for i := range claims {
		id := claims[i].ID
		if out[id] != "" {
			continue
		}
		out[id] = fmt.Sprintf("claim.%d", i)
		if plain.MatchString(id) {
			out[id] = "claim-" + id
		}
	}
	return out
}

// contents lists the sections that the page has.
func (p *page) contents() {
	add := func(id, title string, there bool) {
		if there {
			p.Sections = append(p.Sections, section{id, title})
		}
	}
	add("why", "Why it fails", len(p.Failures) > 0)
	add("not-done", "Not done", len(p.Setup) > 0)
	add("left-out", "Left out", len(p.LeftOut) > 0)
	add("gaps", "Known gaps", len(p.Gaps) > 0)
	add("against", "Comparison", p.Against != nil)
	add("claims", "Claims", len(p.Boundaries) > 0)
	add("measurements", "Measurements", p.Bench != nil)
	add("sweep", "Sweep", p.Sweep != nil)
	add("walk", "Walk", p.Walk != nil)
	add("not-claimed", "Not claimed", len(p.NonClaims) > 0)
	add("run", "The run", true)
}
