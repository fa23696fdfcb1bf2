package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/isogate/isogate/runtime/conformance/expectations"
	"github.com/isogate/isogate/runtime/conformance/suite"
	"github.com/isogate/isogate/runtime/conformance/test262"
	"github.com/isogate/isogate/runtime/conformance/wpt"
)

// This file owns the table: what passes, by area.

// row is one line of the table.
type row struct {
	area  string
	tally suite.Tally
	// part: the row is counted in the one above it.
	part bool
	// peer is what the best of the other runtimes reaches; of nothing when it is not known.
	peer wpt.Area
}

// table is the result of a run by area.
type table struct {
	rows []row
	// counted is the sum of what counts; sum is that of everything, and unshared that of
	// what counts and does not need memory that is shared.
	counted, sum, unshared suite.Tally
	hasPeers               bool
	leftOut                map[string]int
	unit                   string
}

func newTable(c *checkout, known *expectations.File, results []suite.Result) *table {
	t := &table{hasPeers: c.peers != nil, leftOut: map[string]int{}, unit: "tests"}
	if c.HasSubtests() {
		t.unit = "subtests"
	}
	areas := map[string]suite.Tally{}
	add := func(area string, n suite.Tally) {
		sum := areas[area]
		sum.Add(n)
		areas[area] = sum
	}
	for _, r := range results {
		if r.LeftOut != "" {
			t.leftOut[r.LeftOut]++
			continue
		}
		n := suite.Count(r, c.HasSubtests(), known.Subtests[r.Name])
		add(r.Area, n)
		if whole, _, nested := strings.Cut(r.Area, "/"); nested && !t.hasPeers {
			add(whole, n)
		}
		t.sum.Add(n)
		if c.counts(r.Test) {
			t.counted.Add(n)
			if !test262.NeedsSharedMemory(r) {
				t.unshared.Add(n)
			}
		}
	}
	for area, tally := range areas {
		one := row{area: area, tally: tally, part: !t.hasPeers && strings.Contains(area, "/")}
		if t.hasPeers {
			one.peer, _ = c.peers.Area(area)
		}
		t.rows = append(t.rows, one)
	}
	slices.SortFunc(t.rows, func(a, b row) int { return cmp.Compare(a.area, b.area) })
	return t
}

// print writes the table. Without everything it leaves out the parts of an area
// that pass whole.
func (t *table) print(w io.Writer, everything bool) {
	width := len("outside Temporal")
	if t.unshared != t.counted && !t.hasPeers {
		width = len("and SharedArrayBuffer")
	}
	for _, r := range t.rows {
		width = max(width, len(r.area)+2)
	}
	heading := fmt.Sprintf("%-*s %8s %8s %8s", width, "area", "passed", t.unit, "%")
	if t.hasPeers {
		heading += "   best of peers"
	}
	fmt.Fprintln(w, heading)
	for _, r := range t.rows {
		if r.part && !everything && r.tally.Passed == r.tally.Total {
			continue
		}
		name := r.area
		if r.part {
			name = "  " + name
		}
		fmt.Fprintln(w, strings.TrimRight(line(width, name, r.tally)+r.beside(), " "))
	}
	last := "all"
	if !t.hasPeers {
		last = "outside Temporal"
		if t.sum != t.counted {
			fmt.Fprintln(w, line(width, "all that was run", t.sum))
		}
	}
	fmt.Fprintln(w, line(width, last, t.counted))
	if !t.hasPeers && t.unshared != t.counted {
		fmt.Fprintln(w, line(width, "and SharedArrayBuffer", t.unshared))
	}
	for _, why := range slices.Sorted(maps.Keys(t.leftOut)) {
		fmt.Fprintf(w, "left out: %d tests of %s\n", t.leftOut[why], why)
	}
}

func line(width int, name string, n suite.Tally) string {
	return fmt.Sprintf("%-*s %8d %8d %8s", width, name, n.Passed, n.Total, percent(n))
}

// percent never rounds up to 100.
func percent(n suite.Tally) string {
	p := n.Percent()
	if n.Passed < n.Total && p > 99.99 {
		p = 99.99
	}
	return fmt.Sprintf("%.2f", p)
}

// beside compares a row with the best of the peers. Their figures may be of another
// state of the suite, so shares are compared where the totals differ.
func (r *row) beside() string {
	best, here := r.peer.Best, r.tally
	if r.peer.Total == 0 {
		return ""
	}
	if here.Total != r.peer.Total {
		// Rounded up: one that reaches the share has at least so many.
		best = (r.peer.Best*here.Total + r.peer.Total - 1) / r.peer.Total
	}
	text := fmt.Sprintf("   %d of %d: ", r.peer.Best, r.peer.Total)
	switch {
	case here.Total < r.peer.Total/2:
		return text + fmt.Sprintf("only %d were run", here.Total)
	case here.Passed >= best:
		return text + "at or above"
	}
	return text + fmt.Sprintf("%d below", best-here.Passed)
}
