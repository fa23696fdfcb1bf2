package reports

import (
	"strings"
	"testing"
)

// This file tests the walk's place in report and verdict.

func TestWalkInReport(t *testing.T) {
	r := sample()
	var text strings.Builder
	if err := Markdown(r, &text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"584 functions can be reached. 3 of 18688 hostile calls were made (seed 3)", "Ended by a kill only: `global.Array.from`", "global.f (new; huge): worker crashed"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	before := len(r.Failures())
	r.Walk.Wrong = []string{"global.g (none; empty) after 9s: late"}
	after := r.Failures()
	if len(after) != before+1 || !strings.Contains(strings.Join(after, "\n"), "the walk: global.g (none; empty) after 9s: late") {
		t.Errorf("a call that ended wrongly does not fail the gate: %v", after)
	}
}
