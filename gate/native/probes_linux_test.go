package native

import (
	"errors"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/isogate/isogate/gate/probe"
	"github.com/isogate/isogate/pool/child"
)

// This file owns the tests of victims: this test binary plays them. All probes are
// tried by the gate; here are those that end each in another way.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// victims returns a host whose victims are this binary, and closes it with the test.
func victims(t *testing.T) *Host {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &Host{Binary: binary}
	t.Cleanup(func() {
		t.Log(strings.Join(h.Notes(), "\n"))
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// supported ends the test where this machine lacks what it needs.
func supported(t *testing.T, err error) error {
	t.Helper()
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	return err
}

func TestProbesThatEndDifferently(t *testing.T) {
	for _, name := range []string{
		"stat-file",       // a call that ends the process
		"open-existing",   // a call that is answered with an error
		"execute-file",    // success replaces the process
		"dump-core",       // success ends the process
		"many-threads",    // a limit
		"parents-clock",   // a namespace
		"make-executable", // an argument
	} {
		t.Run(name, func(t *testing.T) {
			p, ok := probe.Find(name)
			if !ok {
				t.Fatal("there is no such probe")
			}
			if err := supported(t, runProbe(t.Context(), victims(t), p)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestVictimThatIsNotSealed checks that a probe that is not refused is a violation,
// and one that is refused where it must succeed as well.
func TestVictimThatIsNotSealed(t *testing.T) {
	h := victims(t)
	open, sealed, err := h.startVictims(t.Context(), victimSpec{what: "not sealed", levels: child.Levels(child.Off)}, victimSpec{what: "sealed"})
	if err := supported(t, err); err != nil {
		t.Fatal(err)
	}
	p, _ := probe.Find("stat-file")
	var violation *Violation
	if err := open.mustBeRefused(t.Context(), p); !errors.As(err, &violation) {
		t.Errorf("a probe that succeeds: %v", err)
	}
	if err := sealed.mustSucceed(t.Context(), p); !errors.As(err, &violation) {
		t.Errorf("a control that fails: %v", err)
	}
}

// TestMissingMeasure checks that a machine that lacks a measure is told from a
// measure that does not hold: limiting processes needs a user namespace.
func TestMissingMeasure(t *testing.T) {
	h := victims(t)
	levels := child.Levels(child.Off)
	levels[child.Processes] = child.Wanted
	v, err := h.startVictim(t.Context(), victimSpec{what: "sealed with too little", levels: levels})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := probe.Find("many-threads")
	if err := v.mustBeRefused(t.Context(), p); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), child.Processes) {
		t.Errorf("the error is %v", err)
	}
	if _, err := h.startVictim(t.Context(), victimSpec{what: "sealed as it cannot be", levels: only(child.Processes)}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a required measure that cannot be had: %v", err)
	}
}
