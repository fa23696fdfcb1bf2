package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/reports"
)

// This file tests what a run tells GitHub Actions, and the files that it leaves.

// failing is a record of a run that found something.
func failing() *reports.Record {
	return &reports.Record{Schema: reports.Schema, Claims: []reports.Claim{{
		ID: "c", Title: "A claim", Statement: "It holds.", Boundary: "isolate", Severity: "high", Owners: []string{"a/b.go"}, Verdict: reports.Violated, Reason: "x: wrong, 50 %",
		Attacks: []reports.Attack{{Name: "x", Outcome: reports.AttackViolated, Place: reports.Place{File: "threats/c/x.js", Line: 1}, Wrong: []string{"wrong, 50 %"}}},
	}}}
}

func TestTellActions(t *testing.T) {
	for _, tc := range []struct {
		name            string
		actions         string
		summary         bool
		stdout, written string
	}{
		{"elsewhere", "", false, "", ""},
		{"under GitHub Actions", "true", true, "::error file=threats/c/x.js,line=1,title=c is violated::x: wrong, 50 %25\n", "before\n# FAILED: 0 of 1 claims held\n"},
		{"a summary alone", "", true, "", "before\n# FAILED: 0 of 1 claims held\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			summary := filepath.Join(dir, "summary.md")
			if err := os.WriteFile(summary, []byte("before\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("GITHUB_ACTIONS", tc.actions)
			t.Setenv("GITHUB_STEP_SUMMARY", "")
			if tc.summary {
				t.Setenv("GITHUB_STEP_SUMMARY", summary)
			}
			out, err := os.Create(filepath.Join(dir, "stdout"))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			if err := (&command{stdout: out}).tellActions(failing()); err != nil {
				t.Fatal(err)
			}
			stdout, err := os.ReadFile(out.Name())
			if err != nil || string(stdout) != tc.stdout {
				t.Errorf("printed %q, %v, must be %q", stdout, err, tc.stdout)
			}
			written, err := os.ReadFile(summary)
			if err != nil || !strings.HasPrefix(string(written), tc.written) || tc.written == "" && string(written) != "before\n" {
				t.Errorf("the summary is %q, %v", written, err)
			}
		})
	}
}

func TestTellActionsOfASummaryThatCannotBeWritten(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "")
	t.Setenv("GITHUB_STEP_SUMMARY", t.TempDir())
	if err := (&command{}).tellActions(failing()); err == nil || !strings.Contains(err.Error(), "GITHUB_STEP_SUMMARY") {
		t.Errorf("the error is %v", err)
	}
}

func TestWholeRunLeavesEveryForm(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "gate")
	record := failing()
	record.Bench = &reports.Bench{Measurements: []reports.Measurement{{Name: "WarmRun", Unit: "ns/op", Better: "lower", Iterations: 1, Samples: []float64{1, 2, 3}, Verdict: reports.Unknown}}}
	if err := writeAll(record, dir); err != nil {
		t.Fatal(err)
	}
	for name, opening := range map[string]string{
		"record.json": "{\n  \"schema\": 2,", "report.html": "<!doctype html>", "report.md": "# FAILED", "junit.xml": "<?xml", "report.sarif": "{", "bench.txt": "# recorded",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.HasPrefix(string(text), opening) {
			t.Errorf("%s: %v, opens with %.40q", name, err, text)
		}
	}
	record.Bench = nil
	bare := t.TempDir()
	if err := writeAll(record, bare); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(bare, "bench.txt")); !os.IsNotExist(err) {
		t.Errorf("bench.txt of a run without measurements: %v", err)
	}
}
