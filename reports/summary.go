package reports

import (
	"fmt"
	"strings"
)

// This file owns the sums over a record: its counts, and whether it fails.

// Summary counts what a record holds.
type Summary struct {
	Claims, Held, Violated, Vacuous, Unsupported, Open, NotRun int
	Attacks, AttacksHeld, Canaries                             int
	Controls, Tripped                                          int
	Measurements, Missing, Worse, Problems                     int
}

// Summarize counts what the record holds.
func (r *Record) Summarize() Summary {
	s := Summary{Claims: len(r.Claims), Problems: len(r.Problems)}
	for i := range r.Claims {
		c := &r.Claims[i]
		switch c.Verdict {
		case Held:
			s.Held++
		case Violated:
			s.Violated++
		case Vacuous:
			s.Vacuous++
		case Unsupported:
			s.Unsupported++
		case Open:
			s.Open++
		case NotRun:
			s.NotRun++
		}
		for _, a := range c.Attacks {
			s.Attacks++
			if a.Outcome == AttackHeld {
				s.AttacksHeld++
			}
			if a.Canary {
				s.Canaries++
			}
		}
		for _, control := range c.Controls {
			s.Controls++
			if control.Outcome == Tripped {
				s.Tripped++
			}
		}
	}
	if r.Bench != nil {
		s.Measurements, s.Missing = len(r.Bench.Measurements), len(r.Bench.Missing)
		for _, m := range r.Bench.Measurements {
			if m.Verdict == Worse {
				s.Worse++
			}
		}
		for _, c := range r.Bench.comparisons() {
			s.Measurements++
			if c.Verdict == Worse {
				s.Worse++
			}
		}
	}
	return s
}

// Failures returns why the record fails the gate, one line each; none means
// that it passes. What is broken or worse against a reference comes first. Controls
// that could not be built or run are in [Record.SetupFailures].
func (r *Record) Failures() []string {
	var why []string
	for _, f := range r.findings() {
		if f.fails && f.kind != aboutControl {
			why = append(why, f.line())
		}
	}
	return why
}

// SetupFailures returns what could not be done at all, one line each.
func (r *Record) SetupFailures() []string {
	var why []string
	for _, f := range r.findings() {
		if f.kind == aboutControl {
			why = append(why, f.line())
		}
	}
	return why
}

// State is how a run ended as a whole.
type State string

// The states.
const (
	Passed     State = "PASSED"
	Failed     State = "FAILED"
	Incomplete State = "INCOMPLETE"
)

// State returns how the run ended: Incomplete says that nothing is wrong but
// something could not be done.
func (r *Record) State() State {
	switch {
	case len(r.Failures()) > 0:
		return Failed
	case len(r.SetupFailures()) > 0:
		return Incomplete
	}
	return Passed
}

// Verdict returns the line that a report opens with. It says when something was left
// out.
func (r *Record) Verdict() string {
	line := string(r.State()) + ": " + r.headline()
	switch n := len(r.LeftOut); {
	case n == 1:
		line += " (left out: " + r.LeftOut[0] + ")"
	case n > 1:
		line += fmt.Sprintf(" (%d things were left out)", n)
	}
	return line
}

// headline returns what the verdict is about.
func (r *Record) headline() string {
	s := r.Summarize()
	var parts []string
	switch {
	case s.Controls > 0 && s.Held+s.Violated+s.Unsupported+s.Open == 0:
		// Only controls were run; of the claims themselves nothing was tried.
		parts = append(parts, fmt.Sprintf("%d of %d controls tripped", s.Tripped, s.Controls))
	case s.Claims > 0:
		parts = append(parts, fmt.Sprintf("%d of %d claims held", s.Held, s.Claims))
	}
	if a := r.Against; a != nil {
		parts = append(parts, a.headline())
	}
	if r.Sweep != nil {
		parts = append(parts, r.Sweep.headline())
	}
	if len(parts) == 0 {
		if s.Measurements > 0 {
			return plural(s.Measurements, "measurement") + " taken"
		}
		return "0 of 0 claims held"
	}
	return strings.Join(parts, ", ")
}
