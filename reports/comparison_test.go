package reports

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// This file tests the comparisons' place in report, verdict and benchmark text.

func compared() *Record {
	r := sample()
	c := Comparison{
		Name: "SealedStart", Unit: "ns/op", Iterations: 1, Ratio: 1.15, Low: 1.1, High: 1.2, Confidence: 0.985, Most: 1.25, Verdict: Same,
	}
	for i := range 10 {
		c.Sealed, c.Unsealed = append(c.Sealed, 46e6+float64(i)*1e4), append(c.Unsealed, 40e6+float64(i)*1e4)
	}
	r.Bench.Sealing = &Sealing{InForce: 20, Measures: 21, Comparisons: []Comparison{c}}
	return r
}

func TestComparisonInReport(t *testing.T) {
	r := compared()
	var text strings.Builder
	if err := Markdown(r, &text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<details><summary>What sealing costs</summary>\n\nChildren sealed as by default (20 of 21 measures in force)",
		"| SealedStart | 46.05ms | 40.04ms | 1.150 | 1.100 to 1.200, at 98.5 % | at most 1.25 | 10 | same |\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
	two := Comparison{Least: 0.95, Most: 1.05}
	if two.Bounds() != "0.95 to 1.05" {
		t.Errorf("the bounds read %q", two.Bounds())
	}
	before := len(r.Failures())
	r.Bench.Sealing.Comparisons[0].Verdict, r.Bench.Sealing.Comparisons[0].Reason = Worse, "too slow"
	after := r.Failures()
	if len(after) != before+1 || !strings.Contains(strings.Join(after, "\n"), "SealedStart is worse: too slow") {
		t.Errorf("a comparison that is worse does not fail the gate: %v", after)
	}
	if s := r.Summarize(); s.Measurements != 4 || s.Worse != 1 {
		t.Errorf("%+v", s)
	}
}

// benchstat compares the two sides within one file.
func TestBenchstatComparesSealing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench.txt")
	if err := compared().WriteFile(path, BenchText); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "benchstat", "-filter", ".name:SealedStart", "-col", "/sealing", path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("benchstat: %v\n%s", err, stderr.String())
	}
	for _, want := range []string{"default", "off", "SealedStart-2", "n=10", "-13.03%"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("benchstat's answer lacks %q:\n%s", want, out)
		}
	}
}
