package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isogate/isogate/reports"
)

// This file tests gate bench with samplers that are real processes.

// TestMain lets the test binary be its own sampler, as the command is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "sampler" {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestBench(t *testing.T) {
	dir := t.TempDir()
	text, record := filepath.Join(dir, "bench.txt"), filepath.Join(dir, "record.json")
	status, stdout, stderr := gateCommand(t, "bench", "--short", "--run", "^(Overload|Processes)$", "--out", text, "--json", record)
	if status != exitHeld || stdout != "" || !strings.Contains(stderr, "PASSED: ") {
		t.Fatalf("status %d\n%s%s", status, stdout, stderr)
	}
	r, err := reports.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Bench.Measurements) != 2 || !r.Bench.Short || len(r.Bench.Missing) > 0 || r.Bench.Sealing != nil {
		t.Fatalf("%+v", r.Bench)
	}
	overload, processes := r.Bench.Measurements[0], r.Bench.Measurements[1]
	if c := overload.Calibration; c == nil || c.Pairs != 6 || c.Low > c.Median || c.Median > c.High || len(overload.Samples) != 12 || overload.Exact {
		t.Errorf("%+v, calibration %+v", overload, overload.Calibration)
	}
	// Where processes cannot be counted, that is said.
	if processes.Verdict != reports.Unsupported && (!processes.Exact || len(processes.Samples) != 2 || processes.Samples[0] != processes.Samples[1]) {
		t.Errorf("%+v", processes)
	}
	written, err := os.ReadFile(text)
	if err != nil || strings.Count(string(written), "\nBenchmarkOverload-") != 12 {
		t.Errorf("%v\n%s", err, written)
	}
}

func TestBenchHasOneStandardOutput(t *testing.T) {
	status, _, stderr := gateCommand(t, "bench", "--json", "-")
	if status != exitSetup || !strings.Contains(stderr, "only one can have standard output") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
