package reports

import "fmt"

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
// that it passes. Controls that could not be built or run are in
// [Record.SetupFailures].
func (r *Record) Failures() []string {
	var why []string
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Verdict.fails() {
			why = append(why, fmt.Sprintf("%s is %s: %s", c.ID, c.Verdict, c.Reason))
		}
	}
	why = append(why, r.Problems...)
	if r.Walk != nil {
		for _, wrong := range r.Walk.Wrong {
			why = append(why, "the walk: "+wrong)
		}
	}
	if r.Bench != nil {
		for _, name := range r.Bench.Missing {
			why = append(why, "the measurement "+name+" is registered and was not taken")
		}
		for _, m := range r.Bench.Measurements {
			if m.Verdict == Worse {
				why = append(why, fmt.Sprintf("%s (%s) is worse: %s", m.Name, m.Unit, m.Reason))
			}
		}
		for _, c := range r.Bench.comparisons() {
			if c.Verdict == Worse {
				why = append(why, fmt.Sprintf("%s is worse: %s", c.Name, c.Reason))
			}
		}
	}
	return why
}

// SetupFailures returns what could not be done at all, one line each.
func (r *Record) SetupFailures() []string {
	var why []string
	for i := range r.Claims {
		for _, control := range r.Claims[i].Controls {
			if control.Outcome == ControlFailed {
				why = append(why, fmt.Sprintf("the control %s of %s: %s", control.Name, r.Claims[i].ID, control.Reason))
			}
		}
	}
	return why
}

// Verdict returns the line that a report opens with.
func (r *Record) Verdict() string {
	s := r.Summarize()
	claims := fmt.Sprintf("%d of %d claims held", s.Held, s.Claims)
	if s.Controls > 0 && s.Held+s.Violated+s.Unsupported+s.Open == 0 {
		// Only controls were run; of the claims themselves nothing was tried.
		claims = fmt.Sprintf("%d of %d controls tripped", s.Tripped, s.Controls)
	}
	switch {
	case len(r.Failures()) > 0:
		return "FAILED: " + claims
	case len(r.SetupFailures()) > 0:
		return "INCOMPLETE: " + claims
	}
	return "PASSED: " + claims
}
