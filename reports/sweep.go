package reports

import (
	"fmt"
	"strings"
)

// This file owns the record of a sweep: what came of mutations that were made
// mechanically of the marked protections.

// Sweep is what a sweep found.
type Sweep struct {
	// Marks is how many protections are marked, Mutations how many mutations there are
	// of them; those that were run are in Mutants.
	Marks     int           `json:"marks"`
	Mutations int           `json:"mutations"`
	Mutants   []SweepMutant `json:"mutants"`
}

// SweepMutant is one mutation of a marked protection.
type SweepMutant struct {
	// File and Line say where the mark is; Line counts from 1.
	File string `json:"file"`
	Line int    `json:"line"`
	// Mutation is its name, What says what was done.
	Mutation string `json:"mutation"`
	What     string `json:"what"`
	// Claims are those that the protection serves, whose attacks were tried.
	Claims  []string     `json:"claims"`
	Outcome SweepOutcome `json:"outcome"`
	// KilledBy names the attack that noticed, as "claim/attack".
	KilledBy []string `json:"killedBy,omitempty"`
	// Reason says why it is equivalent or broken, or what the attacks of a survivor said.
	Reason string `json:"reason,omitempty"`
	// RunMS is the length of the replay in milliseconds.
	RunMS int64 `json:"runMs"`
}

// SweepOutcome says how a mutation came out.
type SweepOutcome string

// The outcomes of mutations.
const (
	// SweepKilled: an attack noticed.
	SweepKilled SweepOutcome = "killed"
	// SweepSurvived: no attack of the claims noticed.
	SweepSurvived SweepOutcome = "survived"
	// SweepEquivalent: none noticed, and the source says why none can.
	SweepEquivalent SweepOutcome = "equivalent"
	// SweepBroken: it does not build, or no attack could be tried on it.
	SweepBroken SweepOutcome = "broken"
)

// Count returns how many mutations came out so.
func (s *Sweep) Count(outcome SweepOutcome) int {
	n := 0
	for _, m := range s.Mutants {
		if m.Outcome == outcome {
			n++
		}
	}
	return n
}

// Survivors returns a line for each mutation that no attack noticed.
func (s *Sweep) Survivors() []string {
	var lines []string
	for _, m := range s.Mutants {
		if m.Outcome == SweepSurvived {
			lines = append(lines, m.line())
		}
	}
	return lines
}

// headline says in a few words what came of the sweep.
func (s *Sweep) headline() string {
	return fmt.Sprintf("%d of %d mutations of marked protections survived", s.Count(SweepSurvived), len(s.Mutants))
}

// findings returns the survivors as what is wrong; s may be nil.
func (s *Sweep) findings() []finding {
	var out []finding
	if s == nil {
		return out
	}
	alike := map[string]int{}
	for _, m := range s.Mutants {
		if m.Outcome != SweepSurvived {
			continue
		}
		// Lines move, and are no part of what a finding is known by.
		subject := fmt.Sprintf("%s %s %s", m.File, m.Mutation, m.What)
		alike[subject]++
		out = append(out, finding{
			kind: aboutSweep, rule: "survivor", subject: fmt.Sprintf("%s %d", subject, alike[subject]),
			title: m.line(), fails: true, place: Place{m.File, m.Line},
		})
	}
	return out
}

// text says what was swept and what came of it.
func (s *Sweep) text() string {
	return fmt.Sprintf("%s of code are marked as protections. Of %d mechanical mutations of them %d were tried: attacks noticed %d, %d survived, %d are equivalent, %d do not build or could not be tried.",
		plural(s.Marks, "place"), s.Mutations, len(s.Mutants), s.Count(SweepKilled), s.Count(SweepSurvived), s.Count(SweepEquivalent), s.Count(SweepBroken))
}

func sweepText(s *Sweep) string {
	if s == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(s.text() + "\n\n")
	b.WriteString(list("Survivors", s.Survivors()))
	return folded("The sweep of marked protections", b.String())
}

// sweepSuite returns a case for each mutation that was tried.
func sweepSuite(s *Sweep) junitSuite {
	if s == nil {
		return junitSuite{}
	}
	suite := junitSuite{Name: "sweep of marked protections"}
	for _, m := range s.Mutants {
		one := junitCase{Name: named(fmt.Sprintf("%s:%d %s", m.File, m.Line, m.Mutation)), Class: suite.Name, Time: seconds(float64(m.RunMS) / 1000)}
		suite.seconds += float64(m.RunMS) / 1000
		switch m.Outcome {
		case SweepSurvived:
			one.Failure = outcome(string(m.Outcome), m.line(), m.Reason)
		case SweepEquivalent, SweepBroken:
			one.Skipped = skipped(string(m.Outcome), m.Reason, m.What)
		}
		suite.Cases = append(suite.Cases, one)
	}
	suite.Out = visible(s.text())
	return suite
}

// line says of a survivor what it is.
func (m *SweepMutant) line() string {
	return fmt.Sprintf("%s:%d: %s (%s) survives the attacks of %s", m.File, m.Line, m.Mutation, m.What, listed(m.Claims))
}

// listed returns words as a text.
func listed(words []string) string {
	switch len(words) {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	}
	text := words[0]
	for _, word := range words[1 : len(words)-1] {
		text += ", " + word
	}
	return text + " and " + words[len(words)-1]
}
