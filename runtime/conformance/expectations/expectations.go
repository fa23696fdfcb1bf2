// Package expectations holds what is known to fail in a suite, and why: files of
// groups, each with a reason and the tests that it explains, and the comparison of a
// run with them.
//
// A file is YAML:
//
//	suite: test262
//	subtests:                       # only of suites whose tests have parts
//	  url/toascii.any.js: 12        # the most that a run has reported
//	groups:
//	  - reason: SharedArrayBuffer does not exist here
//	    outcome: fail               # fail (also when left out), timeout, memory or crash
//	    when:                       # what an update puts into this group: all that is stated
//	      features: [Atomics]       #   the test has one of these features
//	      paths: [built-ins/Atomics/**]  # one of these patterns matches its name
//	      message: not defined      #   this regular expression matches its message
//	    tests:
//	      - built-ins/Atomics/**    # see Pattern
//
// Every test that an entry selects has to end as the group says: one that passes
// is as unexpected as a failure that no group has.
package expectations

import (
	"regexp"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the types of an expectations file.

// File is what is known of a suite. It may be read from any goroutine.
type File struct {
	// Name is where it was read from, for positions.
	Name  string
	Suite string
	// Subtests is the largest number of subtests that is known of a test.
	Subtests map[string]int
	Groups   []*Group
	index    *index
}

// Group is known failures that have one reason.
type Group struct {
	Reason string
	// Outcome is how its tests end.
	Outcome suite.Outcome
	When    *When
	Entries []*Entry
}

// When selects failures that no group has yet, for an update. A failure has to
// meet everything that is stated.
type When struct {
	Features []string
	Paths    []Pattern
	Message  *regexp.Regexp
}

// Entry is one line of a group.
type Entry struct {
	Pattern Pattern
	Group   *Group
	// Line and Column are where it stands, from 1; 0 for one that an update made.
	Line, Column int
}

// Unexplained is the reason of the group in which an update puts failures that
// no group asks for.
const Unexplained = "not explained yet"

// meets reports whether a failure is one that the group asks for.
func (w *When) meets(i *Item) bool {
	if w == nil {
		return false
	}
	if len(w.Features) > 0 && !anyOf(w.Features, i.Features) {
		return false
	}
	if len(w.Paths) > 0 {
		found := false
		for k := range w.Paths {
			found = found || w.Paths[k].MatchesTest(i.Test) && (!w.Paths[k].OfSubtests || w.Paths[k].matches(i))
		}
		if !found {
			return false
		}
	}
	return w.Message == nil || w.Message.MatchString(i.Message)
}

func anyOf(wanted, have []string) bool {
	for _, w := range wanted {
		for _, h := range have {
			if w == h {
				return true
			}
		}
	}
	return false
}

// index finds the entries that select an item.
type index struct {
	exact map[string][]*Entry // by the name of the test
	wide  []*Entry
}

func newIndex(groups []*Group) *index {
	x := &index{exact: map[string][]*Entry{}}
	for _, g := range groups {
		for _, e := range g.Entries {
			if name, ok := e.Pattern.test.exact(); ok {
				x.exact[name] = append(x.exact[name], e)
			} else {
				x.wide = append(x.wide, e)
			}
		}
	}
	return x
}

// find returns the entries that select an item, those of its exact name first.
func (x *index) find(i *Item) []*Entry {
	var out []*Entry
	for _, e := range x.exact[i.Test] {
		if e.Pattern.matches(i) {
			out = append(out, e)
		}
	}
	for _, e := range x.wide {
		if e.Pattern.matches(i) {
			out = append(out, e)
		}
	}
	return out
}
