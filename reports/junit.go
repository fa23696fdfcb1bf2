package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
)

// This file owns the JUnit XML form. It keeps to what the schemas in common use agree
// on, that of Ant's report task and that of Jenkins: each suite has its properties, then
// its cases, then its output; a case is skipped, an error, a failure, or passed.

// The elements, in the order in which they stand.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Package    string          `xml:"package,attr"`
		ID         int             `xml:"id,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Hostname   string          `xml:"hostname,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties junitProperties `xml:"properties"`
		Cases      []junitCase     `xml:"testcase"`
		Out        string          `xml:"system-out"`
		Err        string          `xml:"system-err"`

		seconds float64
	}
	junitProperties struct {
		All []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Time    string        `xml:"time,attr"`
		Skipped *junitOutcome `xml:"skipped"`
		Error   *junitOutcome `xml:"error"`
		Failure *junitOutcome `xml:"failure"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"` // a skipped case has none
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the record as JUnit XML: a suite for each claim with a case for each
// attack and control, and suites for the threat model, the walk, the measurements and
// the comparison with a reference. A case fails when the gate fails because of it;
// attacks on claims that are open are skipped, with the reason.
func JUnit(r *Record, w io.Writer) error {
	var doc junitSuites
	add := func(s junitSuite) {
		s.ID, s.Package = len(doc.Suites), "isogate"
		s.Timestamp, s.Hostname = r.Started.UTC().Format("2006-01-02T15:04:05"), "localhost"
		for i := range s.Cases {
			switch c := &s.Cases[i]; {
			case c.Failure != nil:
				s.Failures++
			case c.Error != nil:
				s.Errors++
			case c.Skipped != nil:
				s.Skipped++
			}
		}
		s.Tests, s.Time = len(s.Cases), seconds(s.seconds)
		doc.Suites = append(doc.Suites, s)
	}
	for i := range r.Claims {
		add(claimSuite(&r.Claims[i]))
	}
	suites := []junitSuite{
		suiteOf("threat model", r.Problems, "threat-model"), againstSuite(r.Against), sweepSuite(r.Sweep), walkSuite(r.Walk), figuresSuite(r.Bench),
	}
	if r.Release {
		suites = append(suites, suiteOf("left out", r.LeftOut, "left-out"))
	}
	for _, s := range suites {
		if len(s.Cases) > 0 {
			add(s)
		}
	}
	if len(doc.Suites) > 0 {
		for _, f := range r.facts() {
			doc.Suites[0].Properties.add(property("run: "+f.Name, f.Value))
		}
	}
	text, err := xml.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("JUnit: %w", err)
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

// seconds writes a time in seconds; one that is no time is 0.
func seconds(s float64) string {
	if math.IsNaN(s) || s < 0 || s > 1e9 {
		s = 0
	}
	return fmt.Sprintf("%.3f", s)
}

// named returns a name that is a token and not empty.
func named(text string) string {
	if text = oneLine(text, 200); text == "" {
		return "unnamed"
	}
	return text
}

func property(name, value string) junitProperty { return junitProperty{named(name), visible(value)} }

func propertiesOf(all ...junitProperty) junitProperties { return junitProperties{all} }

func (p *junitProperties) add(one junitProperty) { p.All = append(p.All, one) }

func outcome(kind, message, text string) *junitOutcome {
	return &junitOutcome{Message: oneLine(message, lineLength), Type: named(kind), Text: visible(text)}
}

// skipped says why a case neither passed nor failed.
func skipped(v string, reason, text string) *junitOutcome {
	message := v
	if reason != "" && reason != v {
		message += ": " + reason
	}
	return &junitOutcome{Message: oneLine(message, lineLength), Text: visible(text)}
}

func claimSuite(c *Claim) junitSuite {
	s := junitSuite{Name: named(c.ID), Properties: propertiesOf(
		property("title", c.Title), property("statement", strings.TrimSpace(c.Statement)), property("boundary", c.Boundary), property("severity", c.Severity),
		property("verdict", string(c.Verdict)), property("owners", strings.Join(c.Owners, ", ")),
	)}
	if c.Reason != "" {
		s.Properties.add(property("reason", c.Reason))
	}
	var seen strings.Builder
	for i := range c.Attacks {
		a := &c.Attacks[i]
		one := junitCase{Name: named(a.Name), Class: s.Name, Time: seconds(a.Evidence.WallMS / 1000)}
		s.seconds += a.Evidence.WallMS / 1000
		why := strings.Join(append([]string{a.Title}, append(a.Wrong, "at "+a.place(c.ID).String(), evidenceText(a.Evidence))...), "\n")
		first := a.Title
		if len(a.Wrong) > 0 {
			first = a.Wrong[0]
		}
		switch {
		case a.Outcome == AttackHeld:
			fmt.Fprintf(&seen, "%s: %s\n", named(a.Name), evidenceText(a.Evidence))
		case a.Outcome == AttackUnsupported:
			one.Skipped = skipped("unsupported", first, why)
		case !c.Verdict.fails():
			// The gate passes in spite of it: the claim is open.
			one.Skipped = skipped(string(c.Verdict), c.Reason, why)
		case a.Outcome == AttackFailed:
			one.Error = outcome(string(a.Outcome), first, why)
		default:
			one.Failure = outcome(string(a.Outcome), first, why)
		}
		s.Cases = append(s.Cases, one)
	}
	for _, control := range c.Controls {
		one := junitCase{Name: named("control " + control.Name), Class: s.Name, Time: seconds(float64(control.BuildMS+control.RunMS) / 1000)}
		s.seconds += float64(control.BuildMS+control.RunMS) / 1000
		why := fmt.Sprintf("on %s\n%s", control.File, control.Reason)
		switch {
		case control.Outcome == Tripped:
			fmt.Fprintf(&seen, "control %s: noticed by %s\n", named(control.Name), oneLine(strings.Join(control.Tripped, ", "), lineLength))
		case control.Outcome == ControlFailed:
			one.Error = outcome("control", control.Reason, why)
		case !c.Verdict.fails():
			one.Skipped = skipped(string(c.Verdict), c.Reason, why)
		default:
			one.Failure = outcome("vacuous", "no attack noticed: "+control.Reason, why)
		}
		s.Cases = append(s.Cases, one)
	}
	if c.Verdict.fails() && !s.failing() {
		// Nothing that was tried shows it, and it fails all the same.
		s.Cases = append(s.Cases, junitCase{Name: "verdict", Class: s.Name, Time: seconds(0), Failure: outcome(string(c.Verdict), withReason(c.Verdict, c.Reason), c.Reason)})
	}
	s.Out = visible(seen.String())
	return s
}

// failing reports whether one of the cases fails.
func (s *junitSuite) failing() bool {
	for i := range s.Cases {
		if s.Cases[i].Failure != nil {
			return true
		}
	}
	return false
}

// String returns "file:line".
func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// evidenceText is what was seen of an attack, in one line of plain text.
func evidenceText(e Evidence) string {
	parts := []string{fmt.Sprintf("%.0f ms", e.WallMS)}
	if e.WithinMS > 0 {
		parts[0] += fmt.Sprintf(" of %.0f", e.WithinMS)
	}
	if len(e.Fault) > 0 {
		parts = append(parts, "fault "+oneLine(string(e.Fault), lineLength))
	} else if e.Value != "" {
		parts = append(parts, "value "+oneLine(e.Value, lineLength))
	}
	if e.PeakResident > 0 {
		parts = append(parts, fmt.Sprintf("peak resident %d MiB", e.PeakResident>>20))
	}
	for _, note := range e.Notes[:min(len(e.Notes), listLines)] {
		parts = append(parts, oneLine(note, lineLength))
	}
	return strings.Join(parts, ", ")
}

// suiteOf returns a suite in which each text is a failure.
func suiteOf(name string, failures []string, kind string) junitSuite {
	s := junitSuite{Name: name}
	for _, text := range failures {
		s.Cases = append(s.Cases, junitCase{Name: named(text), Class: name, Time: seconds(0), Failure: outcome(kind, text, text)})
	}
	return s
}

func walkSuite(w *Walk) junitSuite {
	if w == nil {
		return junitSuite{}
	}
	s := suiteOf("walk over the built-ins", w.Wrong, "walk")
	if len(w.Wrong) == 0 {
		s.Cases = append(s.Cases, junitCase{Name: fmt.Sprintf("%d hostile calls", w.Cases), Class: s.Name, Time: seconds(0)})
	}
	s.Out = visible(w.text())
	return s
}

func figuresSuite(b *Bench) junitSuite {
	s := junitSuite{Name: "measurements"}
	if b == nil {
		return s
	}
	s.Properties.add(property("thresholds", b.Thresholds))
	var seen strings.Builder
	add := func(name string, v Verdict, reason, text string) {
		one := junitCase{Name: named(name), Class: s.Name, Time: seconds(0)}
		switch v {
		case Worse:
			one.Failure = outcome(string(v), reason, text)
		case Unfit:
			one.Skipped = skipped(string(v), reason, text)
		}
		fmt.Fprintf(&seen, "%s: %s\n", named(name), oneLine(text, lineLength))
		s.Cases = append(s.Cases, one)
	}
	for _, m := range b.Measurements {
		center, interval := summarize(m)
		add(m.Name+" "+m.Unit, m.Verdict, m.Reason, fmt.Sprintf("%s (%s), %s, %s", center, interval, plural(len(m.Samples), "sample"), withReason(m.Verdict, m.Reason)))
	}
	for _, c := range b.comparisons() {
		add(c.Name, c.Verdict, c.Reason, fmt.Sprintf("ratio %.3f (%s), must be %s, %s", c.Ratio, c.Interval(), c.Bounds(), withReason(c.Verdict, c.Reason)))
	}
	for _, name := range b.Missing {
		s.Cases = append(s.Cases, junitCase{Name: named(name), Class: s.Name, Time: seconds(0), Failure: outcome("missing", "registered and not taken", name)})
	}
	s.Out = seen.String()
	return s
}

func againstSuite(a *Against) junitSuite {
	if a == nil {
		return junitSuite{}
	}
	s := junitSuite{Name: named("compared with " + a.Reference), Properties: propertiesOf(property("revision", a.Revision), property("harness", a.Harness))}
	broken := map[string]bool{}
	for _, c := range a.Broken() {
		broken[c.ID] = true
	}
	for i := range a.Claims {
		c := &a.Claims[i]
		one := junitCase{Name: named("claim " + c.ID), Class: s.Name, Time: seconds(0)}
		if broken[c.ID] {
			one.Failure = outcome("broken", c.line(a.Reference), c.Reason)
		}
		s.Cases = append(s.Cases, one)
	}
	for i := range a.Changes {
		c := &a.Changes[i]
		one := junitCase{Name: named(c.Name + " " + c.Unit), Class: s.Name, Time: seconds(0)}
		text := fmt.Sprintf("%s before, %s now: ratio %.3f (%s), tolerance %.0f %%", median(c.Old, c.Unit), median(c.New, c.Unit), c.Ratio.Median, c.Ratio.Interval(), 100*c.Tolerance)
		switch {
		case a.fails(c.Verdict):
			one.Failure = outcome(string(c.Verdict), withReason(c.Verdict, c.Reason), text)
		case c.Verdict == Unknown || c.Verdict == Unfit:
			one.Skipped = skipped(string(c.Verdict), c.Reason, text)
		}
		s.Cases = append(s.Cases, one)
	}
	for _, name := range a.Missing {
		one := junitCase{Name: named(name), Class: s.Name, Time: seconds(0)}
		if a.Release {
			one.Failure = outcome("missing", "not measured on both sides", name)
		} else {
			one.Skipped = skipped("missing", "not measured on both sides", name)
		}
		s.Cases = append(s.Cases, one)
	}
	return s
}
