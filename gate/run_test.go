package gate

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file tests what a whole run leaves out when its time is limited, and how long it
// expects to take.

func TestWhatDoesNotFitIsLeftOut(t *testing.T) {
	m := oneAttack(t)
	m.NonClaims = []*threats.NonClaim{{ID: "magic", Title: "No magic"}}
	m.Claims[0].Controls = []*threats.Control{{Name: "gone"}}
	jit, err := FindTarget("jit")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		options Options
		want    []string // parts of what is left out, line by line
	}{
		{"no time for more than the attacks", Options{Budget: time.Nanosecond}, []string{
			"all controls: the attacks took the whole budget of 1ns", "hostile calls of every function: they take about 20s, and 0s was left", "the measurements: they take about 2m0s",
		}},
		{"another target", Options{Target: jit}, []string{"controls, walk and measurements, which are about the target hardened"}},
	}
	for _, tc := range tests {
		for _, release := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				o := tc.options
				o.Root, o.Cache, o.Release, o.Progress = "..", t.TempDir(), release, NoProgress()
				record, err := Run(t.Context(), m, o)
				if err != nil {
					t.Fatal(err)
				}
				if len(record.LeftOut) != len(tc.want) {
					t.Fatalf("left out: %q", record.LeftOut)
				}
				for i, want := range tc.want {
					if !strings.Contains(record.LeftOut[i], want) {
						t.Errorf("left out: %q, must say %q", record.LeftOut[i], want)
					}
				}
				if len(record.Claims) != 1 || len(record.Claims[0].Attacks) != 1 || record.Bench != nil || record.Walk != nil {
					t.Errorf("%+v", record)
				}
				verdict := record.Verdict()
				if strings.HasPrefix(verdict, "PASSED") == release || !strings.Contains(verdict, "left out") {
					t.Errorf("for a release %v the verdict is %q", release, verdict)
				}
			})
		}
	}
}

// Controls for which no time is left are left out one by one.
func TestControlsForWhichNoTimeIsLeft(t *testing.T) {
	m, err := LoadModel("")
	if err != nil {
		t.Fatal(err)
	}
	m.Claims = []*threats.Claim{m.Claim("stalled-at-once")}
	out, err := Controls(t.Context(), ControlOptions{
		Model: m, Root: "..", Cache: t.TempDir(), Until: time.Now().Add(-time.Second), Progress: NoProgress(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Claims) != 0 || len(out.LeftOut) != 1 || !strings.Contains(out.LeftOut[0], "controls, for which no time was left: stalled-at-once/") {
		t.Errorf("%+v", out)
	}
}

func TestEstimates(t *testing.T) {
	got := estimates(nil)
	if diff := cmp.Diff(firstGuess, got, cmp.AllowUnexported(expected{})); diff != "" {
		t.Error(diff)
	}
	before := &reports.Record{Phases: []reports.Phase{{Name: partVerify, DurationMS: 1500}, {Name: "another", DurationMS: 1}}}
	if got := estimates(before); got[0].takes != 1500*time.Millisecond || got[1] != firstGuess[1] {
		t.Errorf("%v", got)
	}
	if slices.Equal(estimates(before), firstGuess) {
		t.Error("the first guess was changed")
	}
}

// On a terminal the line says how long the phase takes and how long the whole run.
func TestProgressOfAWholeRun(t *testing.T) {
	var b bytes.Buffer
	d := NewProgress(&b, true).(*display)
	now := time.Unix(0, 0)
	d.now = func() time.Time { return now }
	steps := []struct {
		do   func()
		want string // "" for no word on the whole run
	}{
		{func() { d.Begin("walk", 4) }, ""},
		{func() {
			d.plan([]expected{{"verify", 4 * time.Minute}, {"controls", 6 * time.Minute}})
			d.enter("verify")
			d.Begin("verify", 100)
		}, "verify 0/100, 0 right, 0s, … left; whole run about 10m left"},
		// The first steps say little; the last run says more.
		{func() { now = now.Add(time.Second); d.Step(Step{Name: "c/a", Good: true}) }, "verify 1/100, 1 right, 1s, 1m39s left; whole run about 10m left"},
		{func() {
			for range 49 {
				now = now.Add(time.Second)
				d.Step(Step{Name: "c/a", Good: true})
			}
		}, "verify 50/100, 50 right, 50s, 50s left; whole run about 7m left"},
		{func() { d.enter("controls"); d.Begin("controls", 10) }, "controls 0/10, 0 right, 0s, … left; whole run about 6m left"},
		{func() { now = now.Add(8 * time.Minute); d.Step(Step{Name: "x", Good: true}) }, "controls 1/10, 1 right, 8m0s, 1h12m0s left; whole run about 72m left"},
		{func() { d.plan(nil); d.Begin("soak", 3) }, ""},
	}
	for _, tc := range steps {
		b.Reset()
		tc.do()
		last := b.String()[strings.LastIndex(b.String(), "\x1b[K")+1:]
		if tc.want == "" && strings.Contains(last, "whole run") || !strings.Contains(last, tc.want) {
			t.Errorf("the line is %q, must be %q", last, tc.want)
		}
	}
	for d, want := range map[time.Duration]string{-time.Second: "0s", 14 * time.Second: "10s", 119 * time.Second: "2m0s", 150 * time.Second: "3m", 11 * time.Minute: "11m"} {
		if got := roughly(d); got != want {
			t.Errorf("%v is %q, must be %q", d, got, want)
		}
	}
}
