package probe

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file owns the tests that need no kernel.

func TestList(t *testing.T) {
	names := map[string]bool{}
	for _, p := range All() {
		if p.Name == "" || p.Title == "" || p.Source == "" {
			t.Errorf("the probe %+v is incomplete", p)
		}
		if names[p.Name] {
			t.Errorf("two probes have the name %q", p.Name)
		}
		names[p.Name] = true
		if found, ok := Find(p.Name); !ok || found != p {
			t.Errorf("%q finds %+v", p.Name, found)
		}
	}
	if len(names) < 40 {
		t.Errorf("there are %d probes, must be 40 at least", len(names))
	}
	if _, ok := Find("no-such-probe"); ok {
		t.Error("a probe that does not exist was found")
	}
}

func TestAnswer(t *testing.T) {
	type facts struct {
		Reached, Refused, Lacking bool
		Text                      string
	}
	tests := []struct {
		name   string
		answer Answer
		want   facts
	}{
		{"reached", Answer{OK: "64 bytes read"}, facts{Reached: true, Text: "reached: 64 bytes read"}},
		{"refused", Answer{Call: "openat", Errno: "EACCES"}, facts{Refused: true, Text: "openat is refused with EACCES"}},
		{"state", Answer{State: "it is not dumpable"}, facts{Refused: true, Text: "refused: it is not dumpable"}},
		{"no such call", Answer{Call: "bpf", Errno: "ENOSYS"}, facts{Refused: true, Lacking: true, Text: "bpf is refused with ENOSYS"}},
		{"no such family", Answer{Call: "socket", Errno: "EAFNOSUPPORT"}, facts{Refused: true, Lacking: true, Text: "socket is refused with EAFNOSUPPORT"}},
		{"broken", Answer{Broken: "no marker"}, facts{Text: "not carried out: no marker"}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := facts{tc.answer.Reached(), tc.answer.Refused(), tc.answer.Lacking(), tc.answer.String()}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnknownProbe(t *testing.T) {
	if got := Run("no-such-probe", Target{}); got.Broken == "" || got.Reached() || got.Refused() {
		t.Errorf("the answer is %+v", got)
	}
}
