package reports

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file owns what is wrong in a record, once for all forms: the failures of the
// report, the results of SARIF and the annotations of a pull request are the same.

// kind says what a finding is about.
type kind string

const (
	aboutClaim   kind = "claim"
	aboutModel   kind = "threat model"
	aboutRelease kind = "release" // what a release does not permit
	aboutSweep   kind = "sweep"
	aboutWalk    kind = "walk"
	aboutFigure  kind = "measurement"
	aboutControl kind = "control" // that could not be built or run
)

// finding is one thing that is wrong, or that a reader must be told.
type finding struct {
	kind kind
	// rule names what was broken, the same in every run: a claim's id, or the name of
	// a measurement. subject tells findings of one rule apart.
	rule, subject string
	// title is a short line, reason says why, "" where the title says all.
	title, reason string
	// fails says that the gate does not pass because of it.
	fails bool
	// place is where a reader should look first, related where else.
	place   Place
	related []Place
	// claim is the claim it is about, nil for none.
	claim *Claim
}

// line returns the finding in one line.
func (f *finding) line() string {
	if f.reason == "" {
		return f.title
	}
	return f.title + ": " + f.reason
}

// Files that stand for what has no place of its own.
const (
	thresholdsFile = "bench/thresholds.json"
	walkFile       = "gate/walk/guest.js"
	modelFolder    = "threats/"
)

// findings returns everything that is wrong: first what the comparison with a
// reference found broken, then the claims, the threat model, the walk and the
// measurements, then what could not be done; last what is only to be told.
func (r *Record) findings() []finding {
	var out []finding
	broken := map[string]bool{}
	if r.Against != nil {
		for _, c := range r.Against.Broken() {
			broken[c.ID] = true
			f := r.ofClaim(c.ID)
			f.title, f.reason = c.line(r.Against.Reference), c.Reason
			f.fails, f.subject = true, string(c.New)
			out = append(out, f)
		}
	}
	var told []finding
	for i := range r.Claims {
		c := &r.Claims[i]
		f := r.ofClaim(c.ID)
		f.title, f.reason = fmt.Sprintf("%s is %s", c.ID, c.Verdict), c.Reason
		f.fails, f.subject = c.Verdict.fails(), string(c.Verdict)
		switch {
		case f.fails && !broken[c.ID]:
			out = append(out, f)
		case c.Verdict == Open, c.Verdict == Unsupported:
			told = append(told, f)
		}
	}
	for _, problem := range r.Problems {
		f := finding{kind: aboutModel, rule: "threat-model", subject: problem, title: problem, fails: true, place: Place{modelFolder + "non-claims.yaml", 1}}
		if at, _, ok := positioned(problem); ok {
			f.place = at
		}
		out = append(out, f)
	}
	if r.Release {
		for _, what := range r.LeftOut {
			out = append(out, finding{
				kind: aboutRelease, rule: "left-out", subject: what, title: "left out, which a release does not permit: " + what, fails: true, place: Place{modelFolder + "non-claims.yaml", 1},
			})
		}
	}
	if r.Walk != nil {
		for _, wrong := range r.Walk.Wrong {
			out = append(out, finding{kind: aboutWalk, rule: "walk", subject: wrong, title: "the walk: " + wrong, fails: true, place: Place{walkFile, 1}})
		}
	}
	out = append(out, r.Sweep.findings()...)
	out = append(out, r.worse()...)
	for i := range r.Claims {
		for _, control := range r.Claims[i].Controls {
			if control.Outcome == ControlFailed {
				f := r.ofClaim(r.Claims[i].ID)
				f.kind, f.subject, f.fails = aboutControl, control.Name, true
				f.title, f.reason = fmt.Sprintf("the control %s of %s", control.Name, r.Claims[i].ID), control.Reason
				if control.Place.File != "" {
					f.place = control.Place
				}
				out = append(out, f)
			}
		}
	}
	return append(out, told...)
}

// worse returns the findings about measurements.
func (r *Record) worse() []finding {
	var out []finding
	add := func(name, subject, title, reason string) {
		out = append(out, finding{
			kind: aboutFigure, rule: "measurement/" + name, subject: subject, title: title, reason: reason, fails: true, place: Place{thresholdsFile, 1},
		})
	}
	if a := r.Against; a != nil {
		for i := range a.Changes {
			c := &a.Changes[i]
			switch {
			case c.Verdict == Worse:
				add(c.Name, "against "+c.Unit, fmt.Sprintf("%s (%s) is worse than at %s", c.Name, c.Unit, a.Reference), c.Reason)
			case a.fails(c.Verdict):
				add(c.Name, "against "+c.Unit, fmt.Sprintf("%s (%s) is %s against %s, which a release does not permit", c.Name, c.Unit, c.Verdict, a.Reference), c.Reason)
			}
		}
		for _, name := range a.Missing {
			add(name, "missing against", fmt.Sprintf("%s was not measured on both sides of the comparison with %s", name, a.Reference), "")
			out[len(out)-1].fails = a.Release
		}
	}
	if r.Bench == nil {
		return out
	}
	for _, name := range r.Bench.Missing {
		add(name, "missing", "the measurement "+name+" is registered and was not taken", "")
	}
	for _, m := range r.Bench.Measurements {
		if m.Verdict == Worse {
			add(m.Name, m.Unit, fmt.Sprintf("%s (%s) is worse", m.Name, m.Unit), m.Reason)
		}
	}
	for _, c := range r.Bench.comparisons() {
		if c.Verdict == Worse {
			add(c.Name, "sealing", c.Name+" is worse", c.Reason)
		}
	}
	return out
}

// ofClaim returns a finding about a claim, which need not be in the record.
func (r *Record) ofClaim(id string) finding {
	f := finding{kind: aboutClaim, rule: id, place: Place{modelFolder + id + "/claim.yaml", 1}}
	for i := range r.Claims {
		if r.Claims[i].ID == id {
			f.claim = &r.Claims[i]
		}
	}
	if f.claim == nil {
		return f
	}
	if f.claim.Place.File != "" {
		f.place = f.claim.Place
	}
	stated := f.place
	also := func(p Place) {
		if p != f.place && !slices.Contains(f.related, p) {
			f.related = append(f.related, p)
		}
	}
	// What enforces the claim is where the fault is; the attack shows it.
	for i, owner := range f.claim.Owners {
		if i == 0 {
			f.place = Place{owner, 1}
			continue
		}
		also(Place{owner, 1})
	}
	for i := range f.claim.Attacks {
		a := &f.claim.Attacks[i]
		if a.Outcome != AttackHeld {
			also(a.place(id))
		}
	}
	for _, control := range f.claim.Controls {
		if control.Outcome != Tripped && control.Place.File != "" {
			also(control.Place)
		}
	}
	also(stated)
	return f
}

// place returns where an attack of a claim is written.
func (a *Attack) place(claim string) Place {
	if a.Place.File != "" {
		return a.Place
	}
	return Place{modelFolder + claim + "/claim.yaml", 1}
}

// position is how errors of the threat model open.
var position = regexp.MustCompile(`^([^\s:]+):(\d+)(?::\d+)?: `)

// positioned splits "file:line:column: text".
func positioned(text string) (at Place, rest string, ok bool) {
	match := position.FindStringSubmatch(text)
	if match == nil {
		return Place{}, text, false
	}
	line, err := strconv.Atoi(match[2])
	if err != nil || line < 1 {
		return Place{}, text, false
	}
	return Place{match[1], line}, strings.TrimPrefix(text, match[0]), true
}
