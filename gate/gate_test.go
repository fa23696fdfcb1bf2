package gate

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/gate/native"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file tests the parts of the gate that need no executor.

func TestFindRoot(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root, err := FindRoot(here)
	if err != nil || root != filepath.Dir(here) {
		t.Errorf("the root is %q, %v", root, err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "go.mod"), []byte("module example.com/other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := FindRoot(other); err == nil || !strings.Contains(err.Error(), "run the gate inside a checkout") {
		t.Errorf("another module: %v", err)
	}
}

func TestModelIsComplete(t *testing.T) {
	if _, err := LoadModel(".."); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, a := range native.All() {
		if a.Title == "" || a.Source == "" || a.Run == nil || seen[a.Name] {
			t.Errorf("the attack %q is incomplete or there twice", a.Name)
		}
		seen[a.Name] = true
	}
}

func TestLeaks(t *testing.T) {
	s, err := newSurroundings()
	if err != nil {
		t.Fatal(err)
	}
	canary := os.Getenv(canaryVariable)
	thrown := func(text string) *protocol.Result { return &protocol.Result{Fault: &protocol.Thrown{Message: text}} }
	tests := []struct {
		name, program string
		result        *protocol.Result
		want          string
	}{
		{"nothing", "", &protocol.Result{Value: protocol.Value(`"fine"`)}, ""},
		{"the environment in a value", "", &protocol.Result{Value: protocol.Value(`"` + canary + `"`)}, "the host's environment"},
		{"a Go stack in a fault", "", thrown("goroutine 1 [running]"), "a Go stack trace"},
		{"a frame of the runtime in a log", "", &protocol.Result{Logs: []protocol.LogEntry{{Text: "at x (isogate:runtime:1:2)"}}}, "a frame of the runtime"},
		{"a secret of another execution", "", thrown("hidden-text"), "another's secret"},
		{"what the program itself says", `throw "goroutine 1"`, thrown("goroutine 1"), ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := strings.Join(s.leaks(tc.program, map[string]string{"hidden-text": "another's secret"}, everything(tc.result)...), "; ")
			if tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
				t.Errorf("found %q, must find %q", got, tc.want)
			}
		})
	}
}

func TestJudgeClaim(t *testing.T) {
	claim := func(status threats.Status) *threats.Claim {
		return &threats.Claim{ID: "c", Status: status, Reason: "not built", Attacks: []*threats.Attack{{Name: "a"}, {Name: "b"}}}
	}
	outcomes := func(a, b reports.Outcome) map[string]reports.Attack {
		return map[string]reports.Attack{"a": {Name: "a", Outcome: a, Wrong: []string{"wrong"}}, "b": {Name: "b", Outcome: b}}
	}
	tests := []struct {
		name     string
		status   threats.Status
		outcomes map[string]reports.Attack
		want     reports.Verdict
	}{
		{"all held", threats.StatusClaimed, outcomes(reports.AttackHeld, reports.AttackHeld), reports.Held},
		{"one violated", threats.StatusClaimed, outcomes(reports.AttackViolated, reports.AttackHeld), reports.Violated},
		{"one could not be carried out", threats.StatusClaimed, outcomes(reports.AttackHeld, reports.AttackFailed), reports.Violated},
		{"one unsupported", threats.StatusClaimed, outcomes(reports.AttackHeld, reports.AttackUnsupported), reports.Unsupported},
		{"violated and unsupported", threats.StatusClaimed, outcomes(reports.AttackUnsupported, reports.AttackViolated), reports.Violated},
		{"open is never held", threats.StatusOpen, outcomes(reports.AttackHeld, reports.AttackHeld), reports.Open},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if got := judgeClaim(claim(tc.status), tc.outcomes); got.Verdict != tc.want || len(got.Attacks) != 2 || (got.Reason == "") != (tc.want == reports.Held) {
				t.Errorf("%+v", got)
			}
		})
	}
	claims := []reports.Claim{{ID: "c", Verdict: reports.Held}, {ID: "d", Verdict: reports.Violated, Reason: "why"}}
	vacuous := []reports.Control{{Name: "x", Outcome: reports.Tripped}, {Name: "y", Outcome: reports.ControlVacuous, Reason: "held"}}
	applyControls(claims, map[string][]reports.Control{"c": vacuous, "d": vacuous})
	if claims[0].Verdict != reports.Vacuous || claims[0].Reason != "control y: held" || claims[1].Verdict != reports.Violated || claims[1].Reason != "why" {
		t.Errorf("%+v", claims)
	}
}

func TestLateness(t *testing.T) {
	attempts := func(walls ...time.Duration) []attempt {
		out := make([]attempt, len(walls))
		for i, wall := range walls {
			out[i].Wall = wall * time.Millisecond
		}
		return out
	}
	a := &threats.Attack{Within: 100 * time.Millisecond}
	for _, tc := range []struct {
		attempts []attempt
		late     bool
	}{{attempts(90), false}, {attempts(150, 90, 80), false}, {attempts(150, 90, 120), true}} {
		if got := lateness(a, tc.attempts); (len(got) > 0) != tc.late {
			t.Errorf("%v: %v", tc.attempts, got)
		}
	}
	if got := lateness(&threats.Attack{}, attempts(99_999)); got != nil {
		t.Errorf("an attack without a bound was late: %v", got)
	}
}

func TestSelectTrials(t *testing.T) {
	m, err := threats.Load()
	if err != nil {
		t.Fatal(err)
	}
	some, err := selectTrials(m, regexp.MustCompile("^crash-isolated/(sigkill-while-running|kill-storm)$"))
	if err != nil || len(some) != 2 {
		t.Errorf("%d attacks, %v", len(some), err)
	}
	if _, err := selectTrials(m, regexp.MustCompile("^nothing$")); err == nil {
		t.Error("an expression that matches nothing was accepted")
	}
}

func TestProgress(t *testing.T) {
	run := func(terminal bool) string {
		var b bytes.Buffer
		d := NewProgress(&b, terminal).(*display)
		now := time.Unix(0, 0)
		d.now = func() time.Time { return now }
		d.Begin("verify", 4)
		now = now.Add(2 * time.Second)
		d.Step(Step{Name: "c/a", Outcome: "held", Good: true, Took: 2 * time.Second})
		now = now.Add(2 * time.Second)
		d.Step(Step{Name: "c/b", Outcome: "violated", Details: []string{"the value\nis 1"}, Took: time.Second})
		d.Note("note %d", 1)
		d.End()
		return b.String()
	}
	plain := "verify 1/4 held c/a (2s)\nverify 2/4 violated c/b (1s)\n    the value\n    is 1\nnote 1\nverify: 1 of 2 right, in 4s\n"
	if diff := cmp.Diff(plain, run(false)); diff != "" {
		t.Error(diff)
	}
	terminal := run(true)
	for _, want := range []string{"verify 0/4, 0 right, 0s, … left", "verify 1/4, 1 right, 2s, 6s left  c/a", "verify 2/4 violated c/b (1s)\n", "\r\x1b[K", "verify 2/4, 1 right, 4s, 4s left  c/b"} {
		if !strings.Contains(terminal, want) {
			t.Errorf("the display lacks %q: %q", want, terminal)
		}
	}
	if strings.Contains(terminal, "held c/a") {
		t.Error("a right step has its own line on a terminal")
	}
}

// Steps that are only counted are shown by tenths, or redrawn at most every second.
func TestCountedProgress(t *testing.T) {
	run := func(terminal bool) string {
		var b bytes.Buffer
		d := NewProgress(&b, terminal).(*display)
		now := time.Unix(0, 0)
		d.now = func() time.Time { return now }
		counted, end := Counted(d, "walk")
		for i := range 20 {
			now = now.Add(250 * time.Millisecond)
			counted(i+1, 40)
		}
		end()
		return b.String()
	}
	plain := "walk 4/40 (1s)\nwalk 8/40 (2s)\nwalk 12/40 (3s)\nwalk 16/40 (4s)\nwalk 20/40 (5s)\nwalk: 20 of 40 done, in 4.8s\n"
	if diff := cmp.Diff(plain, run(false)); diff != "" {
		t.Error(diff)
	}
	terminal := run(true)
	if n := strings.Count(terminal, "\r\x1b[K"); n != 5 || !strings.Contains(terminal, "walk 17/40, 4s, 5s left") {
		t.Errorf("the line was redrawn %d times: %q", n, terminal)
	}
	_, end := Counted(NoProgress(), "nothing")
	end() // of a phase that was not begun
}

func TestAudit(t *testing.T) {
	m, err := LoadModel("")
	if err != nil {
		t.Fatal(err)
	}
	m.Claims[0].Status, m.Claims[0].Reason = threats.StatusOpen, "not built"
	var b bytes.Buffer
	if err := Audit(m, Evidence{}, &b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, c := range m.Claims {
		for _, want := range append(c.AttackNames(), c.ID, "`"+c.Owners[0].File+"`") {
			if !strings.Contains(text, want) {
				t.Errorf("the document lacks %s of %s", want, c.ID)
			}
		}
	}
	if gaps := strings.Index(text, "Known gaps"); gaps < 0 || gaps > strings.Index(text, "boundary\n") {
		t.Error("the known gaps do not come first")
	}
}
