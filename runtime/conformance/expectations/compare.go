package expectations

import (
	"fmt"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the comparison of a run with what is expected of it.

// Finding is an item that did not end as expected.
type Finding struct {
	Item Item
	// Expected is the outcome that was expected, and Entry the entry that says so;
	// nil when no entry does.
	Expected suite.Outcome
	Entry    *Entry
}

// Stale is an entry that says nothing any more.
type Stale struct {
	Entry *Entry
	Why   string
}

// Explained counts the failures of a run that a group explains.
type Explained struct {
	Group    *Group
	Failures int
}

// Comparison is what a run shows beside the expectations.
type Comparison struct {
	// Failures failed, and were not expected to, or not like this.
	Failures []Finding
	// Passes passed and were expected to fail.
	Passes []Finding
	Stale  []Stale
	// Explained has every group, in the order of the file.
	Explained []Explained
}

// Held reports whether everything was as expected. What is stale does not count:
// nothing failed or passed by it.
func (c *Comparison) Held() bool { return len(c.Failures) == 0 && len(c.Passes) == 0 }

// Compare compares results. all are the tests of the checkout, those that did
// not run too.
func (f *File) Compare(all []suite.Test, results []suite.Result, hasSubtests bool) *Comparison {
	c := new(Comparison)
	counts := map[*Group]int{}
	used := map[*Entry]bool{}
	ran := map[string]bool{}
	for _, r := range results {
		ran[r.Name] = r.LeftOut == ""
		for _, i := range Items(r, hasSubtests, f.Subtests[r.Name]) {
			f.compareItem(c, &i, counts, used)
		}
	}
	for _, g := range f.Groups {
		c.Explained = append(c.Explained, Explained{g, counts[g]})
		for _, e := range g.Entries {
			if why := stale(e, all, ran, used); why != "" {
				c.Stale = append(c.Stale, Stale{e, why})
			}
		}
	}
	return c
}

func (f *File) compareItem(c *Comparison, i *Item, counts map[*Group]int, used map[*Entry]bool) {
	entries := f.index.find(i)
	for _, e := range entries {
		used[e] = true
	}
	switch {
	case len(entries) == 0:
		if i.failed() {
			c.Failures = append(c.Failures, Finding{Item: *i, Expected: suite.Pass})
		}
	case !i.failed():
		c.Passes = append(c.Passes, Finding{*i, entries[0].Group.Outcome, entries[0]})
	case entries[0].Group.Outcome != i.Outcome:
		c.Failures = append(c.Failures, Finding{*i, entries[0].Group.Outcome, entries[0]})
	default:
		counts[entries[0].Group] += failures(i)
	}
}

// failures is how many failures an item stands for in the counts: a whole test
// with parts stands for those that it did not report.
func failures(i *Item) int { return max(1, i.Missing) }

// stale says why an entry says nothing, or returns "". Of subtests only a run
// of their test can tell.
func stale(e *Entry, all []suite.Test, ran map[string]bool, used map[*Entry]bool) string {
	if used[e] {
		return ""
	}
	exists, allRan := false, true
	for _, t := range all {
		if e.Pattern.MatchesTest(t.Name) {
			exists = true
			allRan = allRan && ran[t.Name]
		}
	}
	switch {
	case !exists:
		return "no test has such a name"
	case e.Pattern.OfSubtests && allRan:
		return "the test has no such subtest"
	}
	return ""
}

// String is the finding for people, one line.
func (f *Finding) String() string {
	text := fmt.Sprintf("%s: %s", f.Item.Name(), f.Item.Outcome)
	switch {
	case f.Item.Outcome == suite.Pass:
		text = fmt.Sprintf("%s: passes, %s was expected (%s)", f.Item.Name(), f.Expected, f.Entry.Group.Reason)
	case f.Entry != nil:
		text += fmt.Sprintf(", %s was expected (%s)", f.Expected, f.Entry.Group.Reason)
	}
	if f.Item.Message != "" {
		text += ": " + f.Item.Message
	}
	return text
}
