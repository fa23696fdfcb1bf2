package expectations

import (
	"path"
	"slices"
	"strings"
)

// This file owns what keeps an expectations file short: one entry for a folder,
// or for a test, of which everything fails for one reason.

// worthCollapsing is how many entries one has to replace.
const worthCollapsing = 3

// collapse replaces the entries of a group by entries for whole folders and, of
// suites with subtests, for all subtests of a test.
func (u *updater) collapse(g *Group, hasSubtests bool) {
	if hasSubtests {
		u.collapseSubtests(g)
		return
	}
	u.collapseFolders(g)
}

// collapseFolders replaces entries by one for the highest folder all of whose
// tests failed for the group's reason.
func (u *updater) collapseFolders(g *Group) {
	mine := map[string]bool{}
	for _, i := range u.items {
		if i.group == g && i.failed() {
			mine[i.Test] = true
		}
	}
	total, failed := map[string]int{}, map[string]int{}
	for _, t := range u.all {
		for folder := path.Dir(t.Name); folder != "."; folder = path.Dir(folder) {
			total[folder]++
			if mine[t.Name] {
				failed[folder]++
			}
		}
	}
	whole := func(folder string) bool { return failed[folder] >= worthCollapsing && failed[folder] == total[folder] }
	u.replace(g, func(e *Entry) (string, bool) {
		name, ok := e.Pattern.test.exact()
		if !ok {
			name = strings.TrimSuffix(e.Pattern.test.literal, "/") + "/" // a folder's entry
		}
		highest := ""
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			if whole(folder) {
				highest = folder
			}
		}
		return escape(highest) + "/**", highest != "" && !e.Pattern.OfSubtests && e.Pattern.test.expression == nil
	})
}

// collapseSubtests replaces the entries of the subtests of a test that all
// failed for the group's reason.
func (u *updater) collapseSubtests(g *Group) {
	total, failed := map[string]int{}, map[string]int{}
	for _, i := range u.items {
		if !i.IsSubtest {
			continue
		}
		total[i.Test]++
		if i.group == g && i.failed() {
			failed[i.Test]++
		}
	}
	u.replace(g, func(e *Entry) (string, bool) {
		name, ok := e.Pattern.test.exact()
		return escape(name) + separator + "*", ok && e.Pattern.OfSubtests && failed[name] >= worthCollapsing && failed[name] == total[name]
	})
}

// replace puts other entries in the place of those for which wider returns one.
func (u *updater) replace(g *Group, wider func(*Entry) (string, bool)) {
	made := map[string]bool{}
	var wide []*Entry
	g.Entries = slices.DeleteFunc(g.Entries, func(e *Entry) bool {
		text, ok := wider(e)
		if ok && !made[text] {
			made[text] = true
			wide = append(wide, newEntry(g, text))
		}
		return ok
	})
	g.Entries = append(g.Entries, wide...)
}
