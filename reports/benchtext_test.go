package reports

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"
)

// This file tests that the benchmark text is what the tools of x/perf read.

func TestBenchTextIsRead(t *testing.T) {
	var b bytes.Buffer
	if err := BenchText(sample(), &b); err != nil {
		t.Fatal(err)
	}
	results := 0
	units := map[string]int{}
	reader := benchfmt.NewReader(bytes.NewReader(b.Bytes()), "bench.txt")
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.Result:
			results++
			for _, v := range r.Values {
				units[v.OrigUnit+v.Unit]++
			}
			if r.GetConfig("goos") != "linux" || r.GetConfig("pkg") != "example.com/m/bench" || r.GetConfig("cpu") != "Test CPU" {
				t.Errorf("configuration of %s: %v", r.Name, r.Config)
			}
		case *benchfmt.SyntaxError:
			t.Error(r)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	if results != 12 || units["ns/opsec/op"] != 6 || units["MB/sB/s"] != 6 {
		t.Errorf("%d results, units %v in\n%s", results, units, b.String())
	}
	for _, key := range []string{"better"} {
		if meta := reader.Units()[benchfmt.UnitMetadataKey{Unit: "B/s", Key: key}]; meta == nil || meta.Value != "higher" {
			t.Errorf("unit metadata: %v", reader.Units())
		}
	}
}

func TestBenchTextNeedsMeasurements(t *testing.T) {
	r := sample()
	r.Bench = nil
	if err := BenchText(r, new(bytes.Buffer)); err == nil {
		t.Error("a record without measurements was written")
	}
}

// benchstat, as go.mod pins it, reads two of our files unchanged and sees a change.
func TestBenchstat(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, factor float64) string {
		r := sample()
		for i := range r.Bench.Measurements {
			for j := range r.Bench.Measurements[i].Samples {
				r.Bench.Measurements[i].Samples[j] *= factor
			}
		}
		r.Build.Revision, r.Host.Load = name, factor // must not keep the files from being compared
		path := filepath.Join(dir, name)
		if err := r.WriteFile(path, BenchText); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old, changed := write("old.txt", 1), write("new.txt", 1.5)
	cmd := exec.Command("go", "tool", "benchstat", old, changed)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("benchstat: %v\n%s", err, out)
	}
	text := string(out)
	for _, want := range []string{"WarmRun-2", "Payload1MiB-2", "+50.00%", "p=0.002 n=6", "p95-sec/op", "goos: linux"} {
		if !strings.Contains(text, want) {
			t.Errorf("benchstat's answer lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "need") || strings.Contains(text, "syntax") {
		t.Errorf("benchstat complains:\n%s", text)
	}
}

// The two sides of a comparison are files that benchstat compares.
func TestBenchstatComparesTheSides(t *testing.T) {
	dir := t.TempDir()
	before, now := filepath.Join(dir, "old.txt"), filepath.Join(dir, "new.txt")
	r := whole()
	if err := r.WriteFile(before, BenchTextOld); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteFile(now, BenchTextNew); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "benchstat", before, now).CombinedOutput()
	if err != nil {
		t.Fatalf("benchstat: %v\n%s", err, out)
	}
	text := string(out)
	for _, want := range []string{"WarmRun-2", "+20.00% (p=0.000 n=10)", "ToolCall-2", "-20.00% (n=10)", "p95-sec/op", "frames/op"} {
		if !strings.Contains(text, want) {
			t.Errorf("benchstat's answer lacks %q:\n%s", want, text)
		}
	}
	r.Against = nil
	if err := BenchTextOld(r, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "holds no comparison") {
		t.Errorf("a record without a comparison: %v", err)
	}
	if err := BenchText(&Record{Against: against()}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "bench-old and bench-new") {
		t.Errorf("a comparison alone: %v", err)
	}
}
