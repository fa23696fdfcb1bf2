package gate

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file tests controls: their mutants, how they are judged, and what is kept.

// smallModule is a workshop over one file.
func smallModule(t *testing.T) *workshop {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "a", "x.go"), []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := newWorkshop(root, filepath.Join(t.TempDir(), "cache"))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestOverlay(t *testing.T) {
	w := smallModule(t)
	edit := func(find, replace string) threats.Edit {
		return threats.Edit{File: "a/x.go", Find: find, Replace: replace}
	}
	both, err := w.mutationOf("both", []threats.Edit{edit("one", "1"), edit("three", "3")})
	if err != nil {
		t.Fatal(err)
	}
	path, err := w.overlay(w.folder(both), both)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &overlay); err != nil {
		t.Fatal(err)
	}
	edited, err := os.ReadFile(overlay.Replace[filepath.Join(w.root, "a", "x.go")])
	if err != nil || string(edited) != "1\ntwo\n3\n" || len(overlay.Replace) != 1 {
		t.Errorf("the overlay %s leads to %q, %v", text, edited, err)
	}
	if now, err := os.ReadFile(filepath.Join(w.root, "a", "x.go")); err != nil || string(now) != "one\ntwo\nthree\n" {
		t.Errorf("the source itself became %q, %v", now, err)
	}
	for name, e := range map[string]threats.Edit{
		"the text is gone": edit("four", ""), "the text is there twice": edit("t", ""), "the file is gone": {File: "b.go", Find: "x"},
	} {
		if _, err := w.mutationOf(name, []threats.Edit{e}); !errors.Is(err, errNotApplicable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The cache's keys follow the source and the mutation.
func TestCacheKeys(t *testing.T) {
	w := smallModule(t)
	mutant := func(find string, attacks ...string) *mutant {
		one, err := w.mutationOf(find, []threats.Edit{{File: "a/x.go", Find: find, Replace: "x"}})
		if err != nil {
			t.Fatal(err)
		}
		return &mutant{name: find, mutation: one, attacks: attacks}
	}
	one, two := mutant("one", "c/a"), mutant("two", "c/a")
	if w.folder(one.mutation) == w.folder(two.mutation) {
		t.Error("two mutations share a folder")
	}
	if w.outcomeFile(one) == w.outcomeFile(mutant("one", "c/b")) {
		t.Error("the outcomes of two lists of attacks share a file")
	}
	folder, outcome := w.folder(one.mutation), w.outcomeFile(one)
	if err := os.WriteFile(filepath.Join(w.root, "a", "y.js"), []byte("an attack"), 0o600); err != nil {
		t.Fatal(err)
	}
	changed, err := newWorkshop(w.root, w.cache)
	if err != nil {
		t.Fatal(err)
	}
	if changed.folder(one.mutation) == folder || changed.outcomeFile(one) == outcome {
		t.Error("a changed source has the same keys")
	}
	// Pruning keeps what is of the present source, and outcomes for a while.
	one.tripped = []string{"c/a"}
	for _, made := range []*workshop{w, changed} {
		if err := os.MkdirAll(made.folder(one.mutation), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := made.keep(one); err != nil {
			t.Fatal(err)
		}
	}
	two.tripped = []string{"c/a"}
	if err := w.keep(two); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * outcomesAge)
	if err := os.Chtimes(w.outcomeFile(two), old, old); err != nil {
		t.Fatal(err)
	}
	if err := changed.prune(); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{
		w.folder(one.mutation): false, changed.folder(one.mutation): true,
		w.outcomeFile(one): true, changed.outcomeFile(one): true, w.outcomeFile(two): false,
	} {
		if _, err := os.Stat(file); (err == nil) != want {
			t.Errorf("%s is there: %v, must be %t", file, err, want)
		}
	}
}

// Only that a mutant tripped is kept, and nothing that is damaged is believed.
func TestRecall(t *testing.T) {
	w := smallModule(t)
	one, err := w.mutationOf("one", []threats.Edit{{File: "a/x.go", Find: "one", Replace: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() *mutant { return &mutant{name: "c/one", mutation: one, attacks: []string{"c/a", "c/b"}} }
	if m := fresh(); w.recall(m) {
		t.Error("an outcome is known before there is one")
	}
	m := fresh()
	m.tripped = []string{"c/b"}
	before := time.Now().Add(-2 * time.Second)
	if err := w.keep(m); err != nil {
		t.Fatal(err)
	}
	m = fresh()
	if !w.recall(m) || m.outcome != reports.Tripped || m.cached.Before(before) || cmp.Diff([]string{"c/b"}, m.tripped) != "" {
		t.Errorf("recalled: %+v", m)
	}
	for name, text := range map[string]string{
		"cut": `{"mutant":"c/one","trip`, "no attack": `{"tripped":[],"when":"2026-01-01T00:00:00Z"}`, "no time": `{"tripped":["c/b"]}`,
		"an attack that ought not to notice": `{"tripped":["c/z"],"when":"2026-01-01T00:00:00Z"}`, "empty": "",
	} {
		if err := os.WriteFile(w.outcomeFile(m), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m := fresh(); w.recall(m) || m.outcome != "" {
			t.Errorf("%s: it was believed", name)
		}
	}
}

func TestJudgeControl(t *testing.T) {
	record := func(a, b reports.Outcome) *reports.Record {
		return &reports.Record{Claims: []reports.Claim{{ID: "c", Attacks: []reports.Attack{{Name: "a", Outcome: a, Wrong: []string{"why"}}, {Name: "b", Outcome: b}}}}}
	}
	tests := []struct {
		name    string
		record  *reports.Record
		attacks []string
		want    reports.ControlOutcome
		reason  string
	}{
		{"noticed", record(reports.AttackViolated, reports.AttackHeld), []string{"c/a"}, reports.Tripped, ""},
		{"noticed, and another could not be carried out", record(reports.AttackFailed, reports.AttackViolated), []string{"c/a", "c/b"}, reports.Tripped, ""},
		{"not noticed", record(reports.AttackHeld, reports.AttackHeld), []string{"c/a"}, reports.ControlVacuous, "no attack that ought to notice does: a held"},
		{"could not be carried out", record(reports.AttackFailed, reports.AttackHeld), []string{"c/a"}, reports.ControlFailed, "could not be carried out: a: why"},
		{"one held, one could not be carried out", record(reports.AttackFailed, reports.AttackHeld), []string{"c/a", "c/b"}, reports.ControlFailed, "could not be carried out: a: why"},
		{"another than ought to could not be carried out", record(reports.AttackFailed, reports.AttackHeld), []string{"c/b"}, reports.ControlVacuous, "b held"},
		{"noticed by another than ought to", record(reports.AttackViolated, reports.AttackHeld), []string{"c/b"}, reports.ControlVacuous, "b held"},
		{"the claim was not tried", record(reports.AttackViolated, reports.AttackHeld), []string{"d/a"}, reports.ControlFailed, "none of the attacks"},
		{"nothing was tried", &reports.Record{}, []string{"c/a"}, reports.ControlFailed, "none of the attacks"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			m := &mutant{attacks: tc.attacks}
			m.judge(tc.record)
			if m.outcome != tc.want || (tc.reason == "") != (m.reason == "") || !strings.Contains(m.reason, tc.reason) {
				t.Errorf("%s: %s", m.outcome, m.reason)
			}
		})
	}
}

// An attack proves something about a mutation only when the same build passes it with
// nothing chosen.
func TestNotHeld(t *testing.T) {
	record := &reports.Record{Claims: []reports.Claim{{ID: "c", Attacks: []reports.Attack{
		{Name: "held", Outcome: reports.AttackHeld}, {Name: "violated", Outcome: reports.AttackViolated}, {Name: "failed", Outcome: reports.AttackFailed},
	}}}}
	want := map[string]bool{"c/violated": true, "c/failed": true, "c/missing": true}
	if diff := cmp.Diff(want, notHeld(record, []string{"c/held", "c/violated", "c/failed", "c/missing"})); diff != "" {
		t.Error(diff)
	}
}

// Controls with real builds, combined and alone: one that removes nothing is reported
// vacuous, one that does not apply too, and one that does not build as a failure; real
// ones trip, in Go of the child and of the parent, in JavaScript and C++. An attack
// that was weakened so that it does not notice any more is reported vacuous.
func TestControls(t *testing.T) {
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
	copied := func(claim string, controls ...*threats.Control) *threats.Claim {
		c := *m.Claim(claim)
		c.Controls = controls
		return &c
	}
	control := func(claim, name string, further ...threats.Edit) *threats.Control {
		for _, c := range m.Claim(claim).Controls {
			if c.Name == name {
				return &threats.Control{Name: name, Edits: append(append([]threats.Edit(nil), c.Edits...), further...), Trips: c.Trips}
			}
		}
		t.Fatalf("there is no control %s of %s", name, claim)
		return nil
	}
	edited := func(name, file, find, replace string) *threats.Control {
		return &threats.Control{Name: name, Edits: []threats.Edit{{File: file, Find: find, Replace: replace}}, Trips: []string{"never"}}
	}
	weakened := control("stalled-at-once", "stall-not-detected",
		threats.Edit{File: "threats/stalled-at-once/never.js", Find: "{fault: stalled, class: program, retryable: false, started: true}", Replace: "{any: [{fault: stalled}, {fault: deadline_exceeded}]}"},
		threats.Edit{File: "threats/stalled-at-once/never.js", Find: "wallMs: 20000", Replace: "wallMs: 2000"},
		threats.Edit{File: "threats/stalled-at-once/never.js", Find: "within: 1s", Replace: "within: 20s"})
	weakened.Name, weakened.Trips = "attack weakened", []string{"never"}
	model := &threats.Model{Claims: []*threats.Claim{
		copied("stalled-at-once",
			edited("nothing removed", "sandbox/loop.go", "// This file owns the event loop", "// This file still owns the event loop"),
			edited("gone", "sandbox/loop.go", "this text is not there", ""),
			edited("broken", "cmd/gate/main.go", "root.SetArgs(args)", "root.SetArgs(undefined)"),
			weakened,
			control("stalled-at-once", "stall-not-detected")),
		copied("frames-checked", control("frames-checked", "frames-not-bounded")),
		copied("stack-traces-clean", control("stack-traces-clean", "runtime-frames-shown")),
		copied("no-code-generation", control("no-code-generation", "code-from-strings-allowed")),
		copied("randomness-fresh", control("randomness-fresh", "one-seed-for-all")),
	}}
	before, err := os.ReadFile(filepath.Join(root, "sandbox/loop.go"))
	if err != nil {
		t.Fatal(err)
	}
	options := ControlOptions{Model: model, Root: root, Cache: t.TempDir(), Seed: 1, Progress: NewProgress(t.Output(), false)}
	outcomes, err := Controls(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	type seen struct {
		outcome  reports.ControlOutcome
		reason   string
		combined bool
	}
	want := map[string]seen{
		"stalled-at-once/nothing removed":              {reports.ControlVacuous, "without the protection no attack that ought to notice does: never held", false},
		"stalled-at-once/gone":                         {reports.ControlVacuous, "the edit does not apply", false},
		"stalled-at-once/broken":                       {reports.ControlFailed, "the mutant does not build", false},
		"stalled-at-once/attack weakened":              {reports.ControlVacuous, "without the protection no attack that ought to notice does: never held", false},
		"stalled-at-once/stall-not-detected":           {reports.Tripped, "", true},
		"frames-checked/frames-not-bounded":            {reports.Tripped, "", true},
		"stack-traces-clean/runtime-frames-shown":      {reports.Tripped, "", true},
		"no-code-generation/code-from-strings-allowed": {reports.Tripped, "", true},
		"randomness-fresh/one-seed-for-all":            {reports.Tripped, "", true},
	}
	count := 0
	for claim, controls := range outcomes.Claims {
		for _, c := range controls {
			count++
			w, ok := want[claim+"/"+c.Name]
			if !ok || c.Outcome != w.outcome || !strings.Contains(c.Reason, w.reason) || c.Combined != w.combined || c.Combined == (c.Alone != "") && c.Name != "gone" {
				t.Errorf("%s/%s is %s: %s (combined: %t, alone: %s)", claim, c.Name, c.Outcome, c.Reason, c.Combined, c.Alone)
			}
			if !c.Cached.IsZero() {
				t.Errorf("%s/%s is known from an earlier run, of which there was none", claim, c.Name)
			}
		}
	}
	if count != len(want) {
		t.Errorf("%d controls were run, must be %d", count, len(want))
	}
	claims := []reports.Claim{{ID: "stalled-at-once", Verdict: reports.Held}}
	applyControls(claims, outcomes.Claims)
	if claims[0].Verdict != reports.Vacuous {
		t.Errorf("the claim is %s, must be vacuous", claims[0].Verdict)
	}
	if after, err := os.ReadFile(filepath.Join(root, "sandbox/loop.go")); err != nil || string(after) != string(before) {
		t.Error("the source was changed")
	}
	// Run again, what tripped is known, and only that; --fresh runs it again.
	options.Run = regexp.MustCompile("^stalled-at-once/(stall-not-detected|gone)$")
	for _, fresh := range []bool{false, true} {
		options.Fresh = fresh
		again, err := Controls(t.Context(), options)
		if err != nil {
			t.Fatal(err)
		}
		gone, tripped := again.Claims["stalled-at-once"][0], again.Claims["stalled-at-once"][1]
		if gone.Outcome != reports.ControlVacuous || !gone.Cached.IsZero() || tripped.Outcome != reports.Tripped || tripped.Cached.IsZero() != fresh ||
			(tripped.RunMS > 0) != fresh || cmp.Diff([]string{"never"}, tripped.Tripped) != "" {
			t.Errorf("fresh %t: %+v, %+v", fresh, gone, tripped)
		}
	}
}
