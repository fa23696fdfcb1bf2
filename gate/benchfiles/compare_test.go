package benchfiles_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/bench"
	"github.com/isogate/isogate/gate/benchfiles"
	"github.com/isogate/isogate/reports"
)

// This file tests the comparison of files, against the real benchstat too.

// write writes a file into the test's folder and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// results returns one line of benchmark text for each of the values.
func results(name, unit string, values ...float64) string {
	var b strings.Builder
	for _, v := range values {
		fmt.Fprintf(&b, "Benchmark%s\t100\t%v %s\n", name, v, unit)
	}
	return b.String()
}

// around returns n values around a center, with noise as a share of it.
func around(r *rand.Rand, n int, center, noise float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = center * (1 + noise*r.NormFloat64())
	}
	return out
}

// record returns a record with a comparison of every registered figure.
func record(t *testing.T) *reports.Record {
	t.Helper()
	registered, err := bench.Registered()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	out := &reports.Record{
		Schema: reports.Schema, Started: time.Unix(1e9, 0), Build: reports.Build{Module: "example.com/m"}, Host: reports.Host{OS: "linux", Arch: "amd64", CPU: "a CPU", CPUs: 2},
		Against: &reports.Against{Reference: "HEAD~1", Revision: "abc"},
	}
	for _, b := range registered.Benchmarks {
		for unit, threshold := range b.Units {
			noise, change := 0.03, 1+0.4*(r.Float64()-0.5)
			if threshold.Exact {
				noise = 0
			}
			out.Against.Changes = append(out.Against.Changes, reports.Change{
				Name: b.Name, Unit: unit, Better: threshold.Better, Exact: threshold.Exact, Iterations: b.Iterations,
				Old: around(r, 10, 1e6, noise), New: around(r, 10, 1e6*change, noise),
			})
		}
	}
	return out
}

// rows reads benchstat's CSV: what stands behind "vs base" and "P" of each row, by
// the table's configuration and unit and the row's name.
func rows(t *testing.T, text string) map[string][2]string {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	out := map[string][2]string{}
	unit, config := "", map[string]string{}
	delta := -1
	for _, line := range lines {
		switch {
		case len(line) == 1:
			name, value, _ := strings.Cut(line[0], ": ")
			config[name] = value
		case line[0] == "" && len(line) > 2 && line[2] == "CI":
			unit, delta = line[1], -1
			for i, column := range line {
				if column == "vs base" {
					delta = i
				}
			}
		case line[0] != "" && line[0] != "geomean" && delta > 0 && len(line) > delta+1 && line[delta+1] != "":
			out[fmt.Sprintf("%s|%s|%s", config["pkg"], unit, line[0])] = [2]string{line[delta], line[delta+1]}
		}
	}
	return out
}

// Every delta and every p-value is benchstat's.
func TestAgreesWithBenchstat(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	ours := record(t)
	var oldText, newText bytes.Buffer
	if err := reports.BenchTextOld(ours, &oldText); err != nil {
		t.Fatal(err)
	}
	if err := reports.BenchTextNew(ours, &newText); err != nil {
		t.Fatal(err)
	}
	// Several packages, units and numbers of samples; benchmarks of one side; ties; exact
	// units; few and equal samples; a zero; a change of iterations.
	generic := func(side int) string {
		shift := 1 + 0.07*float64(side)
		var b strings.Builder
		b.WriteString("goos: linux\npkg: example.com/a\nUnit widgets assume=exact\nUnit ns/op better=lower\n")
		for range 10 + side*2 {
			fmt.Fprintf(&b, "BenchmarkBoth/size=1-8 %d %v ns/op %v B/op %d allocs/op %d widgets\n", 100+side, 1000*shift*(1+0.05*r.NormFloat64()), 64*shift, r.IntN(4), 12)
		}
		b.WriteString(results("Exact", "widgets", 5, 5, 5+float64(side)))
		b.WriteString(results("Zero", "widgets", 0, 0))
		b.WriteString(results("Few-8", "ns/op", 10*shift, 11*shift, 12*shift))
		b.WriteString(results("Equal-8", "ns/op", 7, 7, 7, 7, 7, 7))
		b.WriteString(results("Ties-8", "ns/op", 7, 7, 8, 8, 9, 9+float64(side), 9, 9+float64(side)))
		b.WriteString(results("Speed-8", "MB/s", around(r, 8, 100/shift, 0.01)...))
		b.WriteString(results(fmt.Sprintf("OnlyIn%d-8", side), "ns/op", 1, 2, 3))
		b.WriteString("pkg: example.com/b\n")
		b.WriteString(results("Both/size=1-8", "ns/op", around(r, 20, 50*shift, 0.2)...))
		fmt.Fprintf(&b, "pkg: example.com/only%d\n", side)
		b.WriteString(results("Elsewhere-8", "ns/op", 1, 2, 3))
		b.WriteString("PASS\nok  \texample.com/b\t1.2s\n")
		return b.String()
	}
	tests := []struct {
		name, old, new string
		least          int // rows that are compared
	}{
		{"ours", oldText.String(), newText.String(), len(ours.Against.Changes)},
		{"generic", generic(0), generic(1), 10},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			old, new := write(t, "old.txt", tc.old), write(t, "new.txt", tc.new)
			command := exec.Command("go", "tool", "benchstat", "-format", "csv", old, new)
			var stderr bytes.Buffer
			command.Stderr = &stderr
			out, err := command.Output()
			if err != nil {
				t.Fatalf("benchstat: %v\n%s", err, stderr.String())
			}
			want := rows(t, string(out))
			c, err := benchfiles.Compare(old, new, benchfiles.Options{Alpha: 0.05})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string][2]string{}
			for _, row := range c.Rows {
				if row.Test != "" {
					_, pkg, _ := strings.Cut(row.Config, "pkg: ")
					pkg, _, _ = strings.Cut(pkg, ",")
					got[fmt.Sprintf("%s|%s|%s", pkg, row.Unit, row.Name)] = [2]string{row.Delta, row.Test}
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("benchstat (-) and this package (+) differ:\n%s\n%s", diff, out)
			}
			if len(got) < tc.least {
				t.Errorf("%d rows are compared, must be at least %d:\n%s", len(got), tc.least, out)
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	registered, err := bench.Registered()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	quiet := func(center float64) []float64 { return around(r, 10, center, 0.005) }
	tests := []struct {
		name     string
		old, new string
		verdict  reports.Verdict
		reason   string
	}{
		{"registered and slower", results("WarmRun-2", "ns/op", quiet(1000)...), results("WarmRun-2", "ns/op", quiet(1200)...), reports.Worse, "the tolerance is 10 %"},
		{"registered and faster", results("WarmRun-2", "ns/op", quiet(1000)...), results("WarmRun-2", "ns/op", quiet(700)...), reports.Better, ""},
		{"registered, within the tolerance", results("WarmRun-2", "ns/op", quiet(1000)...), results("WarmRun-2", "ns/op", quiet(1050)...), reports.Same, ""},
		{"registered, less of what is good", results("Payload1MiB-2", "MB/s", quiet(100)...), results("Payload1MiB-2", "MB/s", quiet(70)...), reports.Worse, ""},
		{"registered and noisy", results("WarmRun-2", "ns/op", around(r, 10, 1000, 0.4)...), results("WarmRun-2", "ns/op", around(r, 10, 1000, 0.4)...), reports.Unknown, ""},
		{"one side of a comparison", results("SealedWarmRun/sealing=off-2", "ns/op", quiet(1000)...), results("SealedWarmRun/sealing=off-2", "ns/op", quiet(1050)...), reports.Same, ""},
		{"not registered, and slower", results("Foo-2", "ns/op", quiet(1000)...), results("Foo-2", "ns/op", quiet(1040)...), reports.Worse, "+4."},
		{"not registered, nothing known of the direction", results("Foo-2", "things", quiet(1000)...), results("Foo-2", "things", quiet(1200)...), reports.Unknown, "no file says which direction"},
		{"a direction that the file says", "Unit things better=higher\n" + results("Foo-2", "things", quiet(1000)...), results("Foo-2", "things", quiet(1200)...), reports.Better, ""},
		{"equal", results("Foo-2", "ns/op", 5, 5, 5), results("Foo-2", "ns/op", 5, 5, 5), reports.Same, ""},
		{"too few", results("Foo-2", "ns/op", 5, 5, 6), results("Foo-2", "ns/op", 8, 8, 9), reports.Unknown, "without evidence"},
		{"a count", "Unit frames better=lower assume=exact\n" + results("Foo-2", "frames", 5, 5), results("Foo-2", "frames", 6, 6), reports.Worse, "+20.0 %"},
		{"a count that varies", "Unit frames better=lower assume=exact\n" + results("Foo-2", "frames", 5, 5), results("Foo-2", "frames", 6, 6, 5), reports.Unknown, "without evidence"},
		{"gone", results("Foo-2", "ns/op", 5), results("Bar-2", "ns/op", 5), reports.Worse, "the new file lacks it"},
		{"gone from its configuration", "cpu: one\n" + results("Foo-2", "ns/op", 5), "cpu: another\n" + results("Foo-2", "ns/op", 5), reports.Worse, "the new file lacks it"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			c, err := benchfiles.Compare(write(t, "old.txt", tc.old), write(t, "new.txt", tc.new), benchfiles.Options{Alpha: 0.05, Thresholds: registered})
			if err != nil {
				t.Fatal(err)
			}
			row := c.Rows[0]
			if worse := c.Worse(); len(worse) > 0 {
				row = *worse[0]
			}
			if row.Verdict != tc.verdict || !strings.Contains(row.Reason, tc.reason) {
				t.Errorf("%s: %s; must be %s: %s\n%+v", row.Verdict, row.Reason, tc.verdict, tc.reason, row)
			}
			if failed := len(c.Worse()) > 0; failed != (tc.verdict == reports.Worse) {
				t.Errorf("it fails: %v", failed)
			}
		})
	}
}

// What is wrong with a file is an error that says where.
func TestMistakes(t *testing.T) {
	good := results("A-2", "ns/op", 1, 2, 3) + results("B-2", "ns/op", 1, 2, 3)
	var ours bytes.Buffer
	if err := reports.BenchTextOld(record(t), &ours); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(ours.String(), "\n")
	tests := []struct{ name, text, want string }{
		{"nothing", "", ":1: there is no benchmark result in the file"},
		{"no result", "goos: linux\nPASS\n", ":2: there is no benchmark result in the file"},
		{"no measurements", good + "BenchmarkC-2 10\n", ":7: missing measurements"},
		{"no unit", good + "BenchmarkC-2 10 12.5\n", ":7: missing units"},
		{"no number", good + "BenchmarkC-2 10 fast ns/op\n", ":7: parsing measurement: "},
		{"no count", good + "BenchmarkC-2 many 12 ns/op\n", ":7: parsing iteration count: "},
		{"NaN", good + "BenchmarkC-2 10 NaN ns/op\n", ":7: NaN sec/op is no measurement"},
		{"a number too large", good + "BenchmarkC-2 10 1e999 ns/op\n", ":7: parsing measurement: value out of range"},
		{"a unit twice", "Unit ns/op better=lower\nUnit ns/op better=higher\n" + good, ":2: metadata better of unit ns/op already set to lower"},
		{"cut in a number", good[:len(good)-8], ":6: "},
		{"cut in a unit", good[:len(good)-2], ":6: the file ends within a line"},
		{"cut in a name", good + "BenchmarkC", ":7: the file ends within a line"},
		{"cut before the last line", results("A-2", "ns/op", 1, 2, 3) + results("B-2", "ns/op", 1, 2), ":5: the last benchmark, B-2, has 2 of the 3 results"},
		{"one of ours, cut between two lines", strings.Join(lines[:len(lines)-2], ""), `the file ends without the line "# end"`},
		{"one of ours, cut in half", ours.String()[:ours.Len()/2], "the file ends with"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			bad, fine := write(t, "bad.txt", tc.text), write(t, "good.txt", good)
			for _, order := range [][2]string{{bad, fine}, {fine, bad}} {
				_, err := benchfiles.Compare(order[0], order[1], benchfiles.Options{Alpha: 0.05})
				if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), bad+":") {
					t.Errorf("the error is %v, must name %s and contain %q", err, bad, tc.want)
				}
			}
		})
	}
	many := good + strings.Repeat("BenchmarkC-2 10\n", 25)
	if _, err := benchfiles.Compare(write(t, "a.txt", many), write(t, "b.txt", good), benchfiles.Options{Alpha: 0.05}); err == nil || !strings.Contains(err.Error(), "and 15 more mistakes") {
		t.Errorf("many mistakes: %v", err)
	}
	if _, err := benchfiles.Compare("/does/not/exist", write(t, "b.txt", good), benchfiles.Options{Alpha: 0.05}); err == nil || !strings.Contains(err.Error(), "/does/not/exist") {
		t.Errorf("no file: %v", err)
	}
	for _, o := range []benchfiles.Options{{}, {Alpha: 1}, {Alpha: 0.05, Tolerance: -1}} {
		if _, err := benchfiles.Compare(write(t, "a.txt", good), write(t, "b.txt", good), o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestText(t *testing.T) {
	old := "pkg: p\n" + results("A-2", "ns/op", 100, 100, 100, 100, 100, 100) + results("Gone-2", "ns/op", 1, 1, 1, 1, 1, 1)
	new := "pkg: p\n" + results("A-2", "ns/op", 200, 200, 200, 200, 200, 200) + results("More-2", "ns/op", 1, 1, 1, 1, 1, 1)
	c, err := benchfiles.Compare(write(t, "old.txt", old), write(t, "new.txt", new), benchfiles.Options{Alpha: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := c.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `pkg: p
sec/op  old          new          vs old                     verdict
A-2     100.0n ± 0%  200.0n ± 0%  +100.00%  (p=0.002 n=6)    worse: +100.0 %, the tolerance is 0 %
Gone-2  1.000n ± 0%  none                                    worse: the new file lacks it
More-2  none         1.000n ± 0%                             unknown: the old file lacks it
`
	if diff := cmp.Diff(strings.Fields(want), strings.Fields(b.String())); diff != "" {
		t.Errorf("%s\n%s", diff, b.String())
	}
}

// Whatever two files hold, there is a comparison or an error.
func FuzzCompare(f *testing.F) {
	f.Add("BenchmarkA-2 1 2 ns/op\n", "BenchmarkA-2 1 3 ns/op\n")
	f.Add("Unit x assume=exact\nBenchmarkA 1 NaN x\n", "a: b\nBenchmarkA 1 -Inf x\n")
	f.Add("# recorded x\nBenchmarkA 1 2 x\n# end\n", "")
	f.Fuzz(func(t *testing.T, old, new string) {
		dir := t.TempDir()
		names := [2]string{filepath.Join(dir, "old"), filepath.Join(dir, "new")}
		for i, text := range []string{old, new} {
			if err := os.WriteFile(names[i], []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c, err := benchfiles.Compare(names[0], names[1], benchfiles.Options{Alpha: 0.05})
		if err != nil {
			return
		}
		if len(c.Rows) == 0 {
			t.Error("a comparison without rows")
		}
		if err := c.WriteText(&strings.Builder{}); err != nil {
			t.Error(err)
		}
	})
}
