package expectations

import (
	"cmp"
	"slices"

	"github.com/isogate/isogate/runtime/conformance/suite"
)

// This file owns the update of expectations from a run.

// Update returns the expectations that the results meet. Groups keep their
// reasons. An entry stays as it is where everything that it selects failed as its
// group says, or did not run; the failures of one that goes stay in its group.
// Failures that have no group go to the first that asks for them ([When]), else
// to one with the reason [Unexplained]. What stands in such a group is given out
// anew. all are the tests of the checkout, those that did not run too.
func (f *File) Update(all []suite.Test, results []suite.Result, hasSubtests bool) *File {
	u := &updater{
		out:  &File{Name: f.Name, Suite: f.Suite, Subtests: map[string]int{}},
		seen: map[*Entry]*seen{}, byOld: map[*Group]*Group{}, all: all, ran: map[string]bool{},
	}
	u.countSubtests(f, results)
	for _, r := range results {
		u.ran[r.Name] = r.LeftOut == ""
		for _, i := range Items(r, hasSubtests, u.out.Subtests[r.Name]) {
			u.items = append(u.items, &placed{Item: i, entries: f.index.find(&i)})
		}
	}
	u.look()
	u.keep(f.Groups)
	u.place()
	for _, g := range u.out.Groups {
		u.collapse(g, hasSubtests)
	}
	u.finish()
	return u.out
}

// placed is an item and what the old expectations say of it.
type placed struct {
	Item
	entries []*Entry
	// group has it now; nil when no group has, or it passed.
	group *Group
}

// seen is what a run shows of what an entry selects.
type seen struct{ right, wrong int }

type updater struct {
	out   *File
	items []*placed
	seen  map[*Entry]*seen
	byOld map[*Group]*Group
	all   []suite.Test
	ran   map[string]bool
}

// countSubtests takes over the largest numbers that are known, for tests that
// still exist.
func (u *updater) countSubtests(f *File, results []suite.Result) {
	for _, t := range u.all {
		if n := f.Subtests[t.Name]; n > 0 {
			u.out.Subtests[t.Name] = n
		}
	}
	for _, r := range results {
		if n := len(r.Subtests); n > u.out.Subtests[r.Name] {
			u.out.Subtests[r.Name] = n
		}
	}
}

func (u *updater) look() {
	for _, i := range u.items {
		for _, e := range i.entries {
			s := u.seen[e]
			if s == nil {
				s = new(seen)
				u.seen[e] = s
			}
			if i.Outcome == e.Group.Outcome {
				s.right++
			} else {
				s.wrong++
			}
		}
	}
}

// keep takes over the groups, and the entries that are still right.
func (u *updater) keep(groups []*Group) {
	for _, old := range groups {
		g := &Group{Reason: old.Reason, Outcome: old.Outcome, When: old.When}
		u.out.Groups = append(u.out.Groups, g)
		given := old.Reason == Unexplained // what ran is given out anew
		if !given {
			u.byOld[old] = g
		}
		for _, e := range old.Entries {
			s := u.seen[e]
			if s == nil && !u.unknown(e) || s != nil && (given || s.wrong > 0) {
				continue
			}
			g.Entries = append(g.Entries, &Entry{Pattern: e.Pattern, Group: g})
		}
	}
	for _, i := range u.items {
		for _, e := range i.entries {
			if g := u.byOld[e.Group]; g != nil && i.Outcome == e.Group.Outcome && u.seen[e].wrong == 0 {
				i.group = g
				break
			}
		}
	}
}

// unknown reports whether an entry that selected nothing in this run may select
// something in another: a test of it exists that did not run.
func (u *updater) unknown(e *Entry) bool {
	return slices.ContainsFunc(u.all, func(t suite.Test) bool {
		return !u.ran[t.Name] && e.Pattern.MatchesTest(t.Name)
	})
}

// place gives each failure that no entry has a group.
func (u *updater) place() {
	unexplained := map[suite.Outcome]*Group{}
	u.out.Groups = slices.DeleteFunc(u.out.Groups, func(g *Group) bool {
		if g.Reason == Unexplained {
			unexplained[g.Outcome] = g // the last of the file, for people to find
		}
		return g.Reason == Unexplained
	})
	for _, i := range u.items {
		if !i.failed() || i.group != nil {
			continue
		}
		g := u.home(i)
		if g == nil {
			if g = unexplained[i.Outcome]; g == nil {
				g = &Group{Reason: Unexplained, Outcome: i.Outcome}
				unexplained[i.Outcome] = g
			}
		}
		i.group = g
		g.Entries = append(g.Entries, newEntry(g, exactly(&i.Item)))
	}
	for _, o := range suite.Outcomes {
		if g := unexplained[o]; g != nil {
			u.out.Groups = append(u.out.Groups, g)
		}
	}
}

// home returns the group that had a failure, or else the first that asks for it.
func (u *updater) home(i *placed) *Group {
	for _, e := range i.entries {
		if g := u.byOld[e.Group]; g != nil && g.Outcome == i.Outcome {
			return g
		}
	}
	for _, g := range u.out.Groups {
		if g.Outcome == i.Outcome && g.When.meets(&i.Item) {
			return g
		}
	}
	return nil
}

// newEntry returns the entry of a pattern that this package made.
func newEntry(g *Group, text string) *Entry {
	p, err := ParsePattern(text)
	if err != nil {
		panic("expectations: " + err.Error()) // the package escapes what it writes
	}
	return &Entry{Pattern: p, Group: g}
}

// finish sorts, and drops the groups that have nothing and ask for nothing.
func (u *updater) finish() {
	for _, g := range u.out.Groups {
		slices.SortFunc(g.Entries, func(a, b *Entry) int { return cmp.Compare(a.Pattern.Text, b.Pattern.Text) })
		g.Entries = slices.CompactFunc(g.Entries, func(a, b *Entry) bool { return a.Pattern.Text == b.Pattern.Text })
	}
	u.out.Groups = slices.DeleteFunc(u.out.Groups, func(g *Group) bool { return len(g.Entries) == 0 && g.When == nil })
	u.out.index = newIndex(u.out.Groups)
}
