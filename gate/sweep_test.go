package gate

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/gate/mutation"
	"github.com/isogate/isogate/gate/sweep"
	"github.com/isogate/isogate/reports"
)

// This file tests the sweep: the marks of this source, and what outcomes become.

// The product's main checks are marked, in each of its parts.
func TestMarksOfThisSource(t *testing.T) {
	m, err := LoadModel("")
	if err != nil {
		t.Fatal(err)
	}
	marks, mutants, err := FindMarks(m, "..")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]int{}
	for _, mark := range marks {
		parts[strings.Split(mark.File, "/")[0]]++
	}
	for _, part := range []string{"executor", "pool", "protocol", "runtime", "sandbox"} {
		if parts[part] == 0 {
			t.Errorf("nothing is marked in %s", part)
		}
	}
	if len(marks) < 40 || len(mutants) < len(marks) {
		t.Errorf("%d marks, %d mutations", len(marks), len(mutants))
	}
	// All but a few can be built together, or a sweep would take hours.
	var mutations []mutation.Mutation
	for _, one := range mutants {
		mutations = append(mutations, sweepMutant(m, one).mutation)
	}
	c, err := mutation.Combine("..", mutations, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Apart)*10 > len(mutations) {
		t.Errorf("%d of %d mutations cannot be combined: %v", len(c.Apart), len(mutations), c.Apart)
	}
}

func TestSwept(t *testing.T) {
	mark := &sweep.Mark{File: "a/x.go", Line: 3, Target: 5, Claims: []string{"c"}, Equivalent: map[string]string{"removed": "nobody sees it"}}
	tests := []struct {
		name, mutation string
		outcome        reports.ControlOutcome
		want           reports.SweepOutcome
		reason         string
	}{
		{"noticed", "flipped", reports.Tripped, reports.SweepKilled, ""},
		{"not noticed", "flipped", reports.ControlVacuous, reports.SweepSurvived, "why"},
		{"not noticed, and explained", "removed", reports.ControlVacuous, reports.SweepEquivalent, "nobody sees it"},
		{"noticed, although it is explained", "removed", reports.Tripped, reports.SweepKilled, ""},
		{"not built", "flipped", reports.ControlFailed, reports.SweepBroken, "why"},
		{"not built, although it is explained", "removed", reports.ControlFailed, reports.SweepBroken, "why"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := &mutant{outcome: tc.outcome, runMS: 7}
			if tc.outcome != reports.Tripped {
				m.reason = "why"
			} else {
				m.tripped = []string{"c/a"}
			}
			want := reports.SweepMutant{File: "a/x.go", Line: 5, Mutation: tc.mutation, What: "what", Claims: []string{"c"}, Outcome: tc.want, KilledBy: m.tripped, Reason: tc.reason, RunMS: 7}
			got := swept(m, &sweep.Mutant{Mark: mark, Name: tc.mutation, What: "what"})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			found := &reports.Sweep{Mutants: []reports.SweepMutant{got}}
			record := &reports.Record{Schema: reports.Schema, Sweep: found}
			if failed := len(record.Failures()) > 0; failed != (tc.want == reports.SweepSurvived) || failed != (len(found.Survivors()) > 0) {
				t.Errorf("the record fails: %t, %q", failed, record.Failures())
			}
		})
	}
}

// A sweep with real builds: mutations that an attack notices are killed. Nothing is
// run that was not asked for.
func TestSweep(t *testing.T) {
	if testing.Short() {
		t.Skip("builds mutants, which -short leaves out")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	m, err := LoadModel("")
	if err != nil {
		t.Fatal(err)
	}
	run := regexp.MustCompile("^(frames-checked/protocol/frame.go|no-code-generation/runtime/js/timers.js):")
	found, err := Sweep(t.Context(), SweepOptions{Model: m, Root: root, Cache: t.TempDir(), Run: run, Seed: 1, Progress: NewProgress(t.Output(), false)})
	if err != nil {
		t.Fatal(err)
	}
	// With the comparison turned around no child starts, so that nothing can be tried.
	if len(found.Mutants) != 3 || found.Count(reports.SweepKilled) != 2 || found.Count(reports.SweepBroken) != 1 || found.Mutations <= 3 {
		t.Errorf("%+v", found)
	}
}
