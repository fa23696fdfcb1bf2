package reports

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// This file tests the record: the round trip, what is refused, and the sums.

func sample() *Record {
	return &Record{
		Schema: Schema, Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), DurationMS: 61_500,
		Build:  Build{Module: "example.com/m", Version: "(devel)", Revision: "abc", Go: "go1.26", Engine: "10.9", Protocol: 1},
		Host:   Host{OS: "linux", Arch: "amd64", Kernel: "6.1", CPU: "Test CPU", CPUs: 2, Load: 0.5},
		Verify: Verify{Seed: 7, Repeat: 1},
		Claims: []Claim{
			{
				ID: "held-claim", Title: "It holds", Statement: "It | holds <always>.", Boundary: "isolate", Severity: "high", Owners: []string{"a.go"}, Verdict: Held,
				Attacks: []Attack{{Name: "try", Title: "a try", Source: "own", Outcome: AttackHeld, Evidence: Evidence{
					Fault: json.RawMessage(`{"code":"stalled"}`), WallMS: 12.5, WithinMS: 100, Attempts: 1, PeakResident: 32 << 20,
				}}, {Name: "works", Title: "it works", Source: "own", Canary: true, Outcome: AttackHeld, Evidence: Evidence{Value: "1", Attempts: 1}}},
				Controls: []Control{{Name: "removed", File: "a.go", Outcome: Tripped, Tripped: []string{"try"}}},
			},
			{
				ID: "broken-claim", Title: "It does not", Statement: "No.", Boundary: "process", Severity: "critical", Owners: []string{"b.go"}, Verdict: Violated, Reason: "break: the value is 1",
				Attacks: []Attack{{Name: "break", Title: "a break", Source: "T01", Outcome: AttackViolated, Wrong: []string{"the value is 1"}, Evidence: Evidence{Value: "1", Attempts: 1}}},
			},
			{ID: "gap", Title: "A gap", Statement: "Not yet.", Boundary: "isolate", Severity: "low", Owners: []string{"c.go"}, Verdict: Open, Reason: "not built"},
		},
		NonClaims: []NonClaim{{ID: "magic", Title: "No magic", Statement: "None\nat all.", Mitigation: "Expect | none."}},
		Walk: &Walk{
			Seed: 3, Functions: 584, Cases: 3, Possible: 18_688, Values: 1, Killed: 1, Uninterruptible: []string{"global.Array.from"},
			Crashes: []string{"global.f (new; huge): worker crashed"}, LongestMS: 551,
		},
		Bench: &Bench{Thresholds: "sha256:00", Short: true, Measurements: []Measurement{
			{Name: "WarmRun", Unit: "ns/op", Better: "lower", Iterations: 40, Samples: []float64{4e6, 4.1e6, 4.2e6, 4e6, 4.1e6, 4.2e6}, Tolerance: 0.1, Verdict: Unknown},
			{Name: "WarmRun", Unit: "p95-ns/op", Better: "lower", Iterations: 40, Samples: []float64{5e6, 5.1e6, 5.2e6, 5e6, 5.1e6, 5.2e6}, Tolerance: 0.1, Verdict: Unknown},
			{Name: "Payload1MiB", Unit: "MB/s", Better: "higher", Iterations: 5, Samples: []float64{100, 101, 99, 100, 101, 99}, Tolerance: 0.1, Verdict: Unfit, Reason: "noise"},
		}},
	}
}

func TestRoundTrip(t *testing.T) {
	want := sample()
	name := filepath.Join(t.TempDir(), "deep", "record.json")
	if err := want.WriteFile(name, (*Record).Write); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// Raw JSON is indented with the rest; its meaning must be the same.
	compact := cmp.Transformer("compact", func(raw json.RawMessage) string {
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err != nil {
			return string(raw)
		}
		return b.String()
	})
	if diff := cmp.Diff(want, got, compact); diff != "" {
		t.Error(diff)
	}
}

func TestReadRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON", "# report", "record: not JSON"},
		{"cut in half", `{"schema": 2, "claims": [`, "record: not JSON"},
		{"an older schema", `{"schema": 1}`, "record: the schema is 1, this build reads 2"},
		{"a newer schema", `{"schema": 3}`, "record: the schema is 3, this build reads 2"},
		{"no schema", `{}`, "record: the schema is 0, this build reads 2"},
		{"an unknown field", `{"schema": 2, "colour": "red"}`, `unknown field "colour"`},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("the error is %v, must contain %q", err, tc.want)
			}
		})
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.json")); !os.IsNotExist(unwrapAll(err)) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func unwrapAll(err error) error {
	for {
		next, ok := err.(interface{ Unwrap() error })
		if !ok || next.Unwrap() == nil {
			return err
		}
		if os.IsNotExist(err) {
			return err
		}
		err = next.Unwrap()
	}
}

func TestSummaryAndFailures(t *testing.T) {
	r := sample()
	want := Summary{Claims: 3, Held: 1, Violated: 1, Open: 1, Attacks: 3, AttacksHeld: 2, Canaries: 1, Controls: 1, Tripped: 1, Measurements: 3}
	if diff := cmp.Diff(want, r.Summarize()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"broken-claim is violated: break: the value is 1"}, r.Failures()); diff != "" {
		t.Error(diff)
	}
	tests := []struct {
		name   string
		change func(*Record)
		want   string
	}{
		{"violated", func(*Record) {}, "FAILED: 1 of 3 claims held"},
		{"all right, an open gap is no failure", func(r *Record) { r.Claims[1].Verdict = Held }, "PASSED: 2 of 3 claims held"},
		{"only controls", func(r *Record) {
			r.Claims = r.Claims[:1]
			r.Claims[0].Verdict, r.Claims[0].Attacks = NotRun, nil
		}, "PASSED: 1 of 1 controls tripped"},
		{"only controls, one vacuous", func(r *Record) {
			r.Claims = r.Claims[:1]
			r.Claims[0].Verdict, r.Claims[0].Attacks = Vacuous, nil
			r.Claims[0].Controls[0].Outcome = ControlVacuous
		}, "FAILED: 0 of 1 controls tripped"},
		{"vacuous", func(r *Record) { r.Claims[1].Verdict = Vacuous }, "FAILED: 1 of 3 claims held"},
		{"incomplete", func(r *Record) { r.Claims[1].Verdict = Held; r.Problems = []string{"x"} }, "FAILED: 2 of 3 claims held"},
		{"a measurement is missing", func(r *Record) { r.Claims[1].Verdict = Held; r.Bench.Missing = []string{"ColdStart"} }, "FAILED: 2 of 3 claims held"},
		{"a control could not be run", func(r *Record) {
			r.Claims[1].Verdict = Held
			r.Claims[0].Controls[0].Outcome = ControlFailed
		}, "INCOMPLETE: 2 of 3 claims held"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			r := sample()
			tc.change(r)
			if got := r.Verdict(); got != tc.want {
				t.Errorf("the verdict is %q, must be %q", got, tc.want)
			}
		})
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(sample(), &b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"# FAILED: 1 of 3 claims held\n",
		"- broken-claim is violated: break: the value is 1\n",
		"## Known gaps\n\n- gap (open): not built\n",
		"| held | **held-claim** It holds | high | 2 of 2 | 1 of 1 | 12 ms |\n",
		"| violated | **broken-claim** It does not | critical | 0 of 1 | 0 of 0 | 0 ms |\n",
		"| WarmRun | ns/op | 4.100ms | 4.000ms to 4.200ms | 6 | unknown |\n",
		"| WarmRun | p95-ns/op | 5.100ms | 5.000ms to 5.200ms | 6 | unknown |\n",
		"| Payload1MiB | MB/s | 95.37MiB/s | 94.41MiB/s to 96.32MiB/s | 6 | unfit: noise |\n",
		"<details><summary>What is not claimed</summary>\n\n- **No magic** (magic). None at all. *What an operator can do:* Expect \\| none.\n\n",
		"It \\| holds &lt;always>.",
		"control **removed** on `a.go`: tripped by try\n",
		"seed 7",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Index(text, "Known gaps") > strings.Index(text, "Claims at the") {
		t.Error("the gaps do not come before the claims")
	}
}

func TestFormats(t *testing.T) {
	for _, name := range FormatNames() {
		var b bytes.Buffer
		if err := Formats[name](whole(), &b); err != nil || b.Len() == 0 {
			t.Errorf("%s: %d bytes, %v", name, b.Len(), err)
		}
	}
}
