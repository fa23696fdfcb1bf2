package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/isogate/isogate/gate/history"
	"github.com/isogate/isogate/reports"
)

// This file tests gate ab, gate compare and gate history at the command line. What they
// find is tested with the packages that find it.

func TestMalformedComparisonsAreNeverGreen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("good.txt", "BenchmarkA-2 1 100 ns/op\nBenchmarkB-2 1 100 ns/op\n")
	none := filepath.Join(dir, "none")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no reference", []string{"ab"}, "accepts 1 arg(s), received 0"},
		{"a reference that is none", []string{"ab", "no-such-branch"}, `the reference "no-such-branch" is no commit`},
		{"nothing to compare", []string{"ab", "HEAD", "--no-claims", "--no-figures"}, "--no-claims goes neither with --no-figures"},
		{"claims that are not compared", []string{"ab", "HEAD", "--no-claims", "--claims", "x"}, "--no-claims goes neither"},
		{"figures that are not compared", []string{"ab", "HEAD", "--no-figures", "--figures", "x"}, "--no-figures does not go with --figures"},
		{"claims that are no expression", []string{"ab", "HEAD", "--claims", "("}, "--claims: error parsing regexp"},
		{"figures that are no expression", []string{"ab", "HEAD", "--figures", "("}, "--figures: error parsing regexp"},
		{"no time", []string{"ab", "HEAD", "--time", "0s"}, "--time is 0s, must be above 0"},
		{"one file", []string{"compare", good}, "accepts 2 arg(s), received 1"},
		{"a file that is not there", []string{"compare", good, none}, "none: no such file"},
		{"an empty file", []string{"compare", good, write("empty.txt", "")}, "empty.txt:1: there is no benchmark result in the file"},
		{"a file cut in half", []string{"compare", good, write("half.txt", "BenchmarkA-2 1 100 ns/op\nBenchmarkB-2 1 1")}, "half.txt:2: missing units"},
		{"an alpha that is none", []string{"compare", "--alpha", "2", good, good}, "alpha is 2, must be between 0 and 1"},
		{"a negative tolerance", []string{"compare", "--tolerance", "-1", good, good}, "the tolerance is -1, must be 0 or more"},
		{"a record that is not there", []string{"history", none}, "none: no such file"},
		{"a record that is none", []string{"history", write("bad.json", "{")}, "bad.json: not a record"},
		{"a folder without records", []string{"history", t.TempDir()}, "there is no record in the folder"},
		{"a metric that is no expression", []string{"history", "--metric", "("}, "--metric: error parsing regexp"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			status, stdout, stderr := gateCommand(t, tc.args...)
			if status != exitSetup || !strings.Contains(stderr, "gate: ") || !strings.Contains(stderr, tc.want) || stdout != "" {
				t.Errorf("status %d, must be %d, and say %q\n%s%s", status, exitSetup, tc.want, stdout, stderr)
			}
		})
	}
}

func TestCompareCommand(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, value int) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(strings.Repeat(fmt.Sprintf("BenchmarkA-2 1 %d ns/op\n", value), 10)), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	old, slower := file("old.txt", 100), file("new.txt", 120)
	tests := []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"compare", old, old}, exitHeld, "PASSED: none of 1 figures is worse"},
		{[]string{"compare", old, slower}, exitFailed, "FAILED: 1 of 1 figures are worse"},
		{[]string{"compare", "--tolerance", "0.3", old, slower}, exitHeld, "PASSED"},
	}
	for _, tc := range tests {
		status, stdout, stderr := gateCommand(t, tc.args...)
		if status != tc.status || !strings.Contains(stderr, tc.want) || !strings.Contains(stdout, "verdict") {
			t.Errorf("%v: status %d\n%s%s", tc.args, status, stdout, stderr)
		}
	}
	if _, stdout, _ := gateCommand(t, "compare", "--json", "-", old, slower); !strings.HasPrefix(stdout, "{") || !strings.Contains(stdout, `"verdict":"worse"`) {
		t.Error(stdout)
	}
}

func TestHistoryCommand(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		record := &reports.Record{Schema: reports.Schema, Started: time.Unix(int64(i), 0), Bench: &reports.Bench{Measurements: []reports.Measurement{
			{Name: "WarmRun", Unit: "ns/op", Better: "lower", Samples: []float64{float64(1+i) * 1e6}},
		}}}
		if err := history.Remember(record, dir); err != nil {
			t.Fatal(err)
		}
	}
	svg := filepath.Join(t.TempDir(), "warm.svg")
	status, stdout, stderr := gateCommand(t, "history", "--metric", "^WarmRun/ns/op$", "--svg", svg, dir)
	if status != exitHeld || !strings.Contains(stdout, "▁▅█") || !strings.Contains(stdout, "+200.0 % worse") || !strings.Contains(stderr, "3 runs") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if picture, err := os.ReadFile(svg); err != nil || !strings.HasPrefix(string(picture), "<svg") {
		t.Errorf("%v: %.100s", err, picture)
	}
	// A record that cannot be read is named, and the others are shown.
	if err := os.WriteFile(filepath.Join(dir, "bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr = gateCommand(t, "history", dir)
	if status != exitSetup || !strings.Contains(stdout, "▁▅█") || !strings.Contains(stderr, "bad.json") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
}
