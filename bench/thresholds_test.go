package bench

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file tests the thresholds: the registered ones, and mistakes in them.

func TestThresholds(t *testing.T) {
	good := string(registered)
	if _, err := Registered(); err != nil {
		t.Fatal(err)
	}
	coldStart := regexp.MustCompile(`(?s)    \{"name": "ColdStart".*?\}\},\n`).FindString(good)
	tests := []struct{ name, old, new, want string }{
		{"not JSON", "{", "[", "thresholds: 2:11: invalid character"},
		{"empty", good, "", "1:1: the text ends in the middle of a value"},
		{"cut in half", good[len(good)/2:], "", "the text ends in the middle of a value"},
		{"a comma is missing", `"ColdStart", `, `"ColdStart" `, `4:26: invalid character '"' after object key:value pair`},
		{"a comma too many", "}},\n    {\"name\": \"WarmRun\"", "}},,\n    {\"name\": \"WarmRun\"", "6:8: invalid character ','"},
		{"two values", good, good + "{}", `62:1: invalid character '{' after top-level value`},
		{"another kind", good, "[]", "1:1: the file must be an object, not a value of the kind array"},
		{"another schema", `"schema": 2`, `"schema": 1`, "2:13: the schema is 1, this build reads 2"},
		{"an unknown field", `"short": 6`, `"shorter": 6`, `4:42: a benchmark has an unknown field "shorter"`},
		{"a field twice", `"short": 6`, `"short": 6, "short": 7`, `4:54: "short" is there twice`},
		{"a field is missing", `"short": 6, `, "", `4:5: a benchmark lacks the field "short"`},
		{"a string for a number", `"short": 6`, `"short": "6"`, `4:51: must be a number, not a value of the kind string`},
		{"a number for a string", `"ColdStart"`, `7`, `4:14: must be a string, not a value of the kind number`},
		{"half a sample", `"short": 6`, `"short": 6.5`, `4:51: 6.5 is no whole number`},
		{"an unknown benchmark", "ColdStart", "HotStart", `4:5: there is no benchmark "HotStart"`},
		{"one twice", coldStart, coldStart + coldStart, "7:5: ColdStart is registered twice"},
		{"one missing", coldStart, "", "3:17: ColdStart is not registered"},
		{"no samples", `"samples": 16`, `"samples": 0`, "4:38: 0 is outside 1 to 1000"},
		{"too few operations", `"iterations": 100`, `"iterations": 99`, "WarmRun: iterations is 99, must be at least 100"},
		{"another unit", `"ns/op"`, `"ms/op"`, `5:7: units of ColdStart has an unknown field "ms/op"`},
		{"a unit is missing", `"ns/op": {"better": "lower", "tolerance": 0.15, "ceiling": 1000000000}`, ``, `4:80: units of ColdStart lacks the field "ns/op"`},
		{"another direction", `"lower"`, `"down"`, `5:27: better is "down", must be lower or higher`},
		{"no tolerance", `0.15`, `0`, "5:49: the tolerance must be above 0"},
		{"a negative tolerance", `0.15`, `-1`, "5:49: -1 is outside 0 to 10"},
		{"a ceiling of nothing", `"ceiling": 1000000000`, `"ceiling": 0`, "5:66: 0 is outside"},
		{"a number beyond all", `"ceiling": 1000000000`, `"ceiling": 1e999`, "5:66: 1e999 is outside"},
		{"exactness that is none", `"exact": true`, `"exact": 1`, "must be true or false, not a value of the kind number"},
		{"an unknown comparison", "SealedStart", "SealedStop", `there is no comparison "SealedStop"`},
		{"a comparison twice", "SealedStart", "SealedWarmRun", "SealedWarmRun is registered twice"},
		{"a comparison is missing", `{"name": "SealedStart", "iterations": 1, "ratio": {"least": 0, "most": 1.25}},`, "", "SealedStart is not registered"},
		{"too few pairs", `"first": 24`, `"first": 9`, "9 is outside 10 to 1000"},
		{"fewer pairs than the first", `"most": 80`, `"most": 23`, "most is 23, must not be below first, which is 24"},
		{"several starts", `"SealedStart", "iterations": 1`, `"SealedStart", "iterations": 2`, "SealedStart: iterations must be 1 of a start"},
		{"bounds without 1", `"most": 1.25`, `"most": 0.9`, "0.9 is outside 1 to "},
		{"nested without end", `"schema": 2`, `"schema": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100), "2:44: values are nested deeper than 32"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if !strings.Contains(good, tc.old) {
				t.Fatalf("the thresholds lack %q", tc.old)
			}
			_, err := ReadThresholds([]byte(strings.Replace(good, tc.old, tc.new, 1)))
			if err == nil || !strings.HasPrefix(err.Error(), "thresholds: ") || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("the error is %v, must contain %q", err, tc.want)
			}
		})
	}
	a, _ := ReadThresholds([]byte(good))
	b, _ := ReadThresholds([]byte(good + "\n"))
	if a.Digest == b.Digest || !strings.HasPrefix(a.Digest, "sha256:") {
		t.Errorf("digests %s and %s", a.Digest, b.Digest)
	}
}

// What stands in the file is what is read of it.
func TestThresholdsAreReadWhole(t *testing.T) {
	thresholds, err := Registered()
	if err != nil {
		t.Fatal(err)
	}
	if len(thresholds.Benchmarks) != len(Benchmarks) || len(thresholds.Sealing.Comparisons) != len(Comparisons) {
		t.Fatalf("%d benchmarks, %d comparisons", len(thresholds.Benchmarks), len(thresholds.Sealing.Comparisons))
	}
	for i, r := range thresholds.Benchmarks {
		if r.Name != Benchmarks[i].Name {
			t.Errorf("number %d is %s, must be %s as in the list", i+1, r.Name, Benchmarks[i].Name)
		}
		for unit, u := range r.Units {
			if u.Better == "" || u.Tolerance <= 0 || u.Ceiling <= 0 {
				t.Errorf("%s %s: %+v", r.Name, unit, u)
			}
		}
	}
	want := Registration{Name: "Frames", Samples: 2, Short: 1, Iterations: 24, Units: map[string]Threshold{
		"frames/call": {Better: "lower", Tolerance: 0.01, Exact: true, Ceiling: 4},
		"B/call":      {Better: "lower", Tolerance: 0.01, Exact: true, Ceiling: 1024},
	}}
	for _, r := range thresholds.Benchmarks {
		if r.Name != want.Name {
			continue
		}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Error(diff)
		}
	}
}

func FuzzThresholds(f *testing.F) {
	f.Add(registered)
	for _, seed := range []string{"", "{", `{"schema": 2}`, `{"schema": 2, "benchmarks": [], "sealing": {}}`, "[[[[", `"`, "\xff", `{"a":1,"a":2}`} {
		f.Add([]byte(seed))
	}
	position := regexp.MustCompile(`^thresholds: \d+:\d+: .`)
	f.Fuzz(func(t *testing.T, text []byte) {
		thresholds, err := ReadThresholds(text)
		if err != nil {
			if !position.MatchString(err.Error()) {
				t.Errorf("%q: the error has no position: %v", text, err)
			}
			return
		}
		if len(thresholds.Benchmarks) != len(Benchmarks) {
			t.Errorf("%q registers %d benchmarks", text, len(thresholds.Benchmarks))
		}
	})
}
