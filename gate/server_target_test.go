package gate

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file tests the server as a target.

func TestServerTarget(t *testing.T) {
	m, err := threats.Load()
	if err != nil {
		t.Fatal(err)
	}
	kind, err := FindTarget(TargetServer)
	if err != nil {
		t.Fatal(err)
	}
	claims, err := Verify(t.Context(), VerifyOptions{
		Model: m, Target: kind, Progress: NoProgress(),
		Run: regexp.MustCompile(`^(tool-bounds/long-reply|caller-in-control/tool-context-cancelled|sealing-fails-closed/unknown-measures-refused|network-slow-cut-off/network-silent)$`),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]reports.Outcome{}
	for _, c := range claims {
		for _, a := range c.Attacks {
			got[a.Name] = a.Outcome
		}
	}
	want := map[string]reports.Outcome{
		"long-reply":               reports.AttackHeld,
		"tool-context-cancelled":   reports.AttackHeld,
		"network-silent":           reports.AttackHeld,
		"unknown-measures-refused": reports.AttackUnsupported, // its executors are not to start
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the outcomes differ (-want +got):\n%s", diff)
	}
}
