package history_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/gate/history"
	"github.com/isogate/isogate/reports"
)

// This file tests keeping records and showing them.

// began is when the first run began.
var began = time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)

// record returns the record of the i-th run, with some evidence.
func record(i int, samples ...float64) *reports.Record {
	return &reports.Record{
		Schema: reports.Schema, Started: began.Add(time.Duration(i) * time.Hour), Build: reports.Build{Revision: fmt.Sprintf("%040x", i+1)},
		Claims: []reports.Claim{{ID: "c", Verdict: reports.Held, Attacks: []reports.Attack{{Name: "a", Evidence: reports.Evidence{Value: "long"}}}}},
		Walk:   &reports.Walk{},
		Bench: &reports.Bench{Measurements: []reports.Measurement{
			{Name: "WarmRun", Unit: "ns/op", Better: "lower", Samples: samples},
			{Name: "Payload1MiB", Unit: "MB/s", Better: "higher", Samples: []float64{100 + float64(i)}, Verdict: reports.Unfit},
		}},
	}
}

func remember(t *testing.T, folder string, records ...*reports.Record) {
	t.Helper()
	for _, r := range records {
		if err := history.Remember(r, folder); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRemember(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "history")
	modified := record(1, 5)
	modified.Build.Modified = true
	unknown := record(2, 5)
	unknown.Build.Revision = ""
	remember(t, folder, unknown, record(0, 5), modified)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := []string{"20260102T030405.006Z-000000000000.json", "20260102T040405.006Z-000000000000-modified.json", "20260102T050405.006Z-unknown.json"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	kept, err := reports.ReadFile(filepath.Join(folder, want[0]))
	if err != nil {
		t.Fatal(err)
	}
	whole := record(0, 5)
	whole.Walk, whole.Claims[0].Attacks = nil, nil
	if diff := cmp.Diff(whole, kept); diff != "" {
		t.Errorf("what is kept differs: %s", diff)
	}
}

// Only the last records are kept, and nothing else in the folder is touched.
func TestRememberForgets(t *testing.T) {
	folder := t.TempDir()
	mine := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for i := range history.Kept + 3 {
		remember(t, folder, record(i, 5))
	}
	series, runs, err := history.Read([]string{folder}, nil)
	if err != nil || runs != history.Kept {
		t.Fatalf("%d runs, %v", runs, err)
	}
	if first := series[0].Points[0].Started; !first.Equal(began.Add(3 * time.Hour)) {
		t.Errorf("the first that is kept began at %v", first)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}

func TestRememberWhereNothingCanBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := history.Remember(record(0), file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v", err)
	}
}

func TestRead(t *testing.T) {
	folder := t.TempDir()
	remember(t, folder, record(1, 10, 20, 30, 40, 50), record(0, 5))
	single := filepath.Join(t.TempDir(), "single.json")
	later := record(2, 7)
	later.Schema = 1 // an earlier version of the form
	if err := later.WriteFile(single, (*reports.Record).Write); err != nil {
		t.Fatal(err)
	}
	series, runs, err := history.Read([]string{single, folder}, regexp.MustCompile("^WarmRun/ns/op$"))
	if err != nil || runs != 3 || len(series) != 1 {
		t.Fatalf("%d series of %d runs, %v", len(series), runs, err)
	}
	want := []history.Point{
		{Started: began, Revision: fmt.Sprintf("%040x", 1), Lower: 5, Median: 5, Upper: 5},
		{Started: began.Add(time.Hour), Revision: fmt.Sprintf("%040x", 2), Lower: 12.5, Median: 30, Upper: 37.5},
		{Started: began.Add(2 * time.Hour), Revision: fmt.Sprintf("%040x", 3), Lower: 7, Median: 7, Upper: 7},
	}
	if diff := cmp.Diff(want, series[0].Points); diff != "" {
		t.Error(diff)
	}
}

// What cannot be read is named, and the rest is returned.
func TestReadMistakes(t *testing.T) {
	good := t.TempDir()
	remember(t, good, record(0, 5))
	tests := []struct{ name, text, want string }{
		{"nothing", "", "not a record: unexpected end of JSON input"},
		{"cut", `{"schema": 2, "started": "2026-`, "not a record: unexpected end"},
		{"another document", `{"version": "2.1.0"}`, "its schema is 0, the newest is"},
		{"a newer schema", `{"schema": 999, "started": "2026-01-02T03:04:05Z"}`, "its schema is 999"},
		{"no time", `{"schema": 2}`, "it does not say when the run began"},
		{"another type", `{"schema": 2, "started": "2026-01-02T03:04:05Z", "bench": 5}`, "cannot unmarshal number"},
		{"a measurement without a name", `{"schema": 2, "started": "2026-01-02T03:04:05Z", "bench": {"measurements": [{"unit": "x"}]}}`, "lacks its name or unit"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			bad := filepath.Join(t.TempDir(), "bad.json")
			if err := os.WriteFile(bad, []byte(tc.text), 0o644); err != nil {
				t.Fatal(err)
			}
			series, runs, err := history.Read([]string{bad, good}, nil)
			if err == nil || !strings.Contains(err.Error(), bad+": ") || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("the error is %v, must name %s and contain %q", err, bad, tc.want)
			}
			if len(series) != 2 || runs != 1 {
				t.Errorf("%d series of %d runs", len(series), runs)
			}
		})
	}
	for path, want := range map[string]string{t.TempDir(): "there is no record in the folder", "/does/not/exist": "no such file"} {
		if _, _, err := history.Read([]string{path}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, _, err := history.Read([]string{good}, regexp.MustCompile("Nothing")); err == nil || !strings.Contains(err.Error(), "no measurement of any run matches Nothing") {
		t.Errorf("%v", err)
	}
	empty := record(0)
	empty.Bench = nil
	folder := t.TempDir()
	remember(t, folder, empty)
	if _, _, err := history.Read([]string{folder}, nil); err == nil || !strings.Contains(err.Error(), "no run has any measurement") {
		t.Errorf("%v", err)
	}
}

func TestTable(t *testing.T) {
	folder := t.TempDir()
	remember(t, folder, record(0, 4e6), record(1, 5e6), record(2, 8e6), record(3, 6e6))
	series, _, err := history.Read([]string{folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := history.WriteTable(&b, series); err != nil {
		t.Fatal(err)
	}
	want := `metric            runs  from first to last      first       last        change        min      median         max
WarmRun/ns/op        4  ▁▃█▅                  4.000ms    6.000ms  +50.0 % worse    4.000ms     5.500ms     8.000ms
Payload1MiB/MB/s     4  ▁▃▆█                 95.37MiB   98.23MiB  +3.0 % better   95.37MiB    96.80MiB    98.23MiB
`
	if diff := cmp.Diff(lines(want), lines(b.String())); diff != "" {
		t.Errorf("%s\n%s", diff, b.String())
	}
}

// lines returns the fields of each line.
func lines(text string) [][]string {
	var out [][]string
	for _, line := range strings.Split(text, "\n") {
		out = append(out, strings.Fields(line))
	}
	return out
}

func TestSparkline(t *testing.T) {
	rising := make([]float64, 100)
	for i := range rising {
		rising[i] = float64(i)
	}
	tests := []struct {
		values []float64
		want   string
	}{
		{nil, ""}, {[]float64{5}, "▅"}, {[]float64{5, 5}, "▅▅"}, {[]float64{0, 7, 8}, "▁██"},
		{[]float64{8, 0, 4}, "█▁▅"}, {rising, "▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███"},
	}
	for _, tc := range tests {
		if got := history.Sparkline(tc.values); got != tc.want {
			t.Errorf("%v is %s, must be %s", tc.values, got, tc.want)
		}
	}
}

// The picture is a document that is well formed, with a dot and a label for each run.
func TestSVG(t *testing.T) {
	folder := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 9 {
		remember(t, folder, record(i, 100+r.Float64(), 101+r.Float64(), 103+r.Float64()))
	}
	series, _, err := history.Read([]string{folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	picture := history.SVG(series)
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, picture)
		}
	}
	for _, want := range []string{"WarmRun/ns/op", "lower is better", "Payload1MiB/MB/s", "higher is better", `>00000000<`} {
		if !strings.Contains(picture, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	// Nine dots for the one, and nine rings for the other, which is unfit.
	if dots := strings.Count(picture, `class="pm" d=`); dots != 9 {
		t.Errorf("%d dots", dots)
	}
	if rings := strings.Count(picture, `class="pu s" d=`); rings != 9 {
		t.Errorf("%d rings", rings)
	}
}

// Whatever a file holds, reading it ends in series that can be shown, or an error.
func FuzzRead(f *testing.F) {
	f.Add(`{"schema": 2, "started": "2026-01-02T03:04:05Z", "bench": {"measurements": [{"name": "A", "unit": "ns/op", "samples": [1, 2]}]}}`)
	f.Add(`{"schema": 2, "started": "2026-01-02T03:04:05Z", "bench": {"measurements": [{"name": "A", "unit": "x", "samples": [-1e308, 1e308, 0]}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(t.TempDir(), "record.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		series, _, err := history.Read([]string{file}, nil)
		if (err == nil) != (len(series) > 0) {
			t.Fatalf("%d series and %v", len(series), err)
		}
		if err := history.WriteTable(io.Discard, series); err != nil {
			t.Error(err)
		}
		if !strings.Contains(history.SVG(series), "</svg>") {
			t.Error("no picture")
		}
	})
}
