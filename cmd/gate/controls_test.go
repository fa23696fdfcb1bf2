package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/gate"
	"github.com/isogate/isogate/reports"
)

// This file tests gate controls as a whole: what it says of a claim whose check was
// weakened, and what it does not accept.

func TestControlsCommandLine(t *testing.T) {
	tests := []struct {
		name   string
		args   []string
		stderr string
	}{
		{"since a revision that is not there", []string{"controls", "--since", "no-such-revision"}, `gate: --since: git knows no commit "no-such-revision"`},
		{"since what looks like an option", []string{"controls", "--since=--all"}, `gate: --since: git knows no commit "--all"`},
		{"a sweep since", []string{"controls", "--sweep", "--since", "HEAD"}, "gate: --sweep and --since exclude each other"},
		{"a sweep of nothing", []string{"controls", "--sweep", "--run", "^nothing$"}, "gate: no mutation of a marked protection matches ^nothing$"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			status, _, stderr := gateCommand(t, tc.args...)
			if status != exitSetup || !strings.Contains(stderr, tc.stderr) {
				t.Errorf("status %d, must be %d\n%s", status, exitSetup, stderr)
			}
		})
	}
}

// Somebody weakens the only attack that notices a control: the program may now run to
// its deadline. A gate with that threat model must call the claim vacuous and fail.
// The claim is a copy whose control carries the weakened attack along as further
// edits, so that the mutant is built with it; everything else is real.
func TestWeakenedCheckIsVacuous(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two gates, which -short leaves out")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root, err := gate.FindRoot(here)
	if err != nil {
		t.Fatal(err)
	}
	const attack, claim = "threats/stalled-at-once/never.js", "threats/stalled-at-once/claim.yaml"
	const weakened = `id: stalled-at-once
title: A program that cannot go on ends at once
statement: >
  A copy of the real claim.
boundary: isolate
severity: medium
owners:
  - sandbox/loop.go
controls:
  - name: stall-not-detected
    edits:
      - file: sandbox/loop.go
        find: "if !hasTimer && len(e.pending) == 0 {"
        replace: "if false {"
      - file: threats/stalled-at-once/never.js
        find: "expect: {fault: stalled, class: program, retryable: false, started: true}"
        replace: "expect: {any: [{fault: stalled}, {fault: deadline_exceeded}]}"
      - file: threats/stalled-at-once/never.js
        find: "wallMs: 20000"
        replace: "wallMs: 2000"
      - file: threats/stalled-at-once/never.js
        find: "within: 1s"
        replace: "within: 20s"
    trips: [never]
`
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, claim): write("claim.yaml", weakened)}})
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "gate")
	if out, err := exec.Command("go", "build", "-C", root, "-overlay", write("overlay.json", string(overlay)), "-buildvcs=false", "-o", binary, "./cmd/gate").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	before, err := os.ReadFile(filepath.Join(root, attack))
	if err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(dir, "record.json")
	run := exec.Command(binary, "controls", "--run", "^stalled-at-once/", "--cache", filepath.Join(dir, "cache"), "--json", record)
	run.Dir = root
	out, err := run.CombinedOutput()
	if status := run.ProcessState.ExitCode(); status != exitFailed {
		t.Errorf("status %d (%v), must be %d\n%s", status, err, exitFailed, out)
	}
	found, err := reports.ReadFile(record)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(found.Claims) != 1 || found.Claims[0].Verdict != reports.Vacuous || found.Claims[0].Controls[0].Outcome != reports.ControlVacuous ||
		!strings.Contains(found.Claims[0].Reason, "no attack that ought to notice does: never held") {
		t.Errorf("%+v", found.Claims)
	}
	if after, err := os.ReadFile(filepath.Join(root, attack)); err != nil || string(after) != string(before) {
		t.Error("the attack itself was changed")
	}
}
