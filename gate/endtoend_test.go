package gate

import (
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/isogate/isogate/reports"
	"github.com/isogate/isogate/threats"
)

// This file tests the gate with the real executor: this test binary is its own
// child process, and its own hostile child.

func TestVerify(t *testing.T) {
	defer goleak.VerifyNone(t)
	m, err := LoadModel("")
	if err != nil {
		t.Fatal(err)
	}
	run := regexp.MustCompile("^(programs-work/(tool-loop|typescript)|wall-deadline/endless-loop|heap-limit/push-objects|stalled-at-once/never|source-not-spliced/close-wrapper|" +
		"frames-checked/child-(honest|frame-empty|message-trailing)|crash-isolated/sigkill-while-running|nothing-inherited/environment-inherited|no-process-left/parent-killed)$")
	claims, err := Verify(t.Context(), VerifyOptions{Model: m, Run: run, Seed: 1, Progress: NoProgress()})
	if err != nil {
		t.Fatal(err)
	}
	attacks := 0
	for _, c := range claims {
		attacks += len(c.Attacks)
		if c.Verdict != reports.Held {
			t.Errorf("%s is %s: %s", c.ID, c.Verdict, c.Reason)
		}
		for _, a := range c.Attacks {
			if a.Evidence.WallMS <= 0 || a.Evidence.Attempts < 1 {
				t.Errorf("%s/%s has no evidence: %+v", c.ID, a.Name, a.Evidence)
			}
		}
	}
	if attacks != 12 {
		t.Errorf("%d attacks ran, must be 12", attacks)
	}
}

// An attack whose expectation the executor does not meet is found, and what is
// wrong is said.
func TestVerifyFindsViolations(t *testing.T) {
	attack := func(name, header, program string) *threats.Attack {
		a, mistakes := threats.ReadAttack("x/"+name+".js", "x", []byte("/*---\ntitle: "+name+"\nsource: own\n"+header+"\n---*/\n"+program+"\n"))
		if len(mistakes) > 0 {
			t.Fatal(mistakes)
		}
		return a
	}
	tests := []struct{ name, header, program, want string }{
		{"value", "expect: {value: 1}", "() => 2", "the value is 2, must be 1"},
		{"fault", "expect: {fault: stalled}", "() => 2", "the outcome is the value 2, must be the fault stalled"},
		{"late", "expect: {value: 1}\nwithin: 1ms", "async () => { await new Promise(done => setTimeout(done, 30)); return 1 }", "must come within 1ms"},
		{"unending", "expect: {value: 1}\nwithin: 10ms\nlimits: {wallMs: 600000, cpuMs: 600000}", "() => { for (;;) {} }", "and the gate cancelled it"},
		{"forbidden", "expect: {value: se-cret}\nforbid: [se-cret]", "() => 'se' + '-' + 'cret'", "a forbidden text"},
		{"logs", "expect: {value: 1}\nlogs: {count: 0}", "() => { console.log('x'); return 1 }", "the number of log entries is 1, must be 0"},
	}
	m := &threats.Model{Claims: []*threats.Claim{{ID: "x"}}}
	for _, tc := range tests {
		header := tc.header
		if tc.name == "forbidden" {
			// The header is part of the program, which may say its own texts.
			header = "expect: {value: {$: undefined}}"
		}
		m.Claims[0].Attacks = append(m.Claims[0].Attacks, attack(tc.name, header, tc.program))
	}
	forbidden := m.Claims[0].Attacks[4]
	forbidden.Forbid = []string{"se-cret"}
	claims, err := Verify(t.Context(), VerifyOptions{Model: m, Seed: 1, Progress: NoProgress()})
	if err != nil {
		t.Fatal(err)
	}
	if claims[0].Verdict != reports.Violated {
		t.Errorf("the claim is %s", claims[0].Verdict)
	}
	for i, tc := range tests {
		a := claims[0].Attacks[i]
		if a.Name != tc.name || a.Outcome != reports.AttackViolated || !strings.Contains(strings.Join(a.Wrong, "; "), tc.want) {
			t.Errorf("%s is %s: %v, must say %q", a.Name, a.Outcome, a.Wrong, tc.want)
		}
	}
}
