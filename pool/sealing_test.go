package pool_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of which measures children take, and of refusing a child,
// or a machine, for one that is missing. Those with a real child are in
// sealing_linux_test.go.

func TestSealingConfig(t *testing.T) {
	for _, test := range []struct {
		name   string
		levels map[string]child.Level
		want   []string // in the error's text
	}{
		{"an unknown measure", map[string]child.Level{"firewall": child.Required}, []string{"Config.Sealing", `"firewall"`, child.Landlock, child.SystemCalls}},
		{"a measure in capitals", map[string]child.Level{"Landlock": child.Off}, []string{`"Landlock"`}},
		{"no name", map[string]child.Level{"": child.Off}, []string{`""`}},
		{"an unknown level", map[string]child.Level{child.Landlock: "enforced"}, []string{child.Landlock, `"enforced"`, "required, wanted or off"}},
		{"no level", map[string]child.Level{child.Landlock: ""}, []string{child.Landlock, `""`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := pool.New(t.Context(), pool.Config{Sealing: test.levels})
			if err == nil {
				p.Close()
				t.Fatal("it was accepted")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %q, want it to say %q", err, want)
				}
			}
		})
	}
}

func TestSealingTaken(t *testing.T) {
	var all []string
	for _, m := range child.Measures() {
		all = append(all, m.Name)
	}
	if d := cmp.Diff(all, pool.NewSeals(nil).Taken()); d != "" {
		t.Error("by default every measure is tried:", d)
	}
	s := pool.NewSeals(map[string]child.Level{child.Landlock: child.Off, child.Processes: child.Required})
	s.Refuse(child.PIDNamespace, "refused")
	want := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == child.Landlock || name == child.PIDNamespace })
	if d := cmp.Diff(want, s.Taken()); d != "" {
		t.Error(d)
	}
	if taken := pool.NewSeals(child.Levels(child.Off)).Taken(); len(taken) > 0 {
		t.Errorf("with everything off these are tried: %v", taken)
	}
}

func TestSealingStates(t *testing.T) {
	s := pool.NewSeals(map[string]child.Level{child.Landlock: child.Off, child.Processes: child.Required, child.CoreSize: child.Wanted})
	s.Refuse(child.PIDNamespace, "operation not permitted")
	states := s.States(&protocol.Welcome{
		Sealed:   []string{child.SystemCalls, child.Processes, "a measure of another version"},
		Unsealed: []protocol.Unsealed{{Measure: child.EmptyRoot, Reason: "no mounts"}, {Measure: child.Processes, Reason: "as well"}},
	})
	got := map[string]pool.SealingState{}
	for i, m := range child.Measures() {
		if states[i].Measure != m.Name {
			t.Fatalf("state %d is of %s, want %s", i, states[i].Measure, m.Name)
		}
		got[m.Name] = states[i]
	}
	want := map[string]pool.SealingState{}
	for _, m := range child.Measures() {
		want[m.Name] = pool.SealingState{Measure: m.Name, Level: m.Default, Reason: "the child does not report it"}
	}
	for _, state := range []pool.SealingState{
		{Measure: child.SystemCalls, Level: child.Required, InForce: true},
		{Measure: child.Processes, Level: child.Required, InForce: true},
		{Measure: child.CoreSize, Level: child.Wanted, Reason: "the child does not report it"},
		{Measure: child.EmptyRoot, Level: child.Wanted, Reason: "no mounts"},
		{Measure: child.PIDNamespace, Level: child.Wanted, Reason: "operation not permitted"},
		{Measure: child.Landlock, Level: child.Off, Reason: "the configuration turns it off"},
	} {
		want[state.Measure] = state
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestSealingCheck has a child lack each measure in turn, at each level.
func TestSealingCheck(t *testing.T) {
	for _, m := range child.Measures() {
		for _, level := range []child.Level{child.Required, child.Wanted, child.Off} {
			s := pool.NewSeals(map[string]child.Level{m.Name: level})
			var reported []string
			for _, other := range child.Measures() {
				if other.Name != m.Name {
					reported = append(reported, other.Name)
				}
			}
			for name, welcome := range map[string]*protocol.Welcome{
				"it is not reported":          {Sealed: reported},
				"it is reported as not taken": {Sealed: reported, Unsealed: []protocol.Unsealed{{Measure: m.Name, Reason: "this kernel"}}},
			} {
				err := s.Check(welcome)
				if level != child.Required {
					if err != nil {
						t.Errorf("%s is %s, %s: %v", m.Name, level, name, err)
					}
					continue
				}
				reason := "the child does not report it"
				if len(welcome.Unsealed) > 0 {
					reason = "this kernel"
				}
				for _, want := range []string{`"` + m.Name + `"`, reason, m.Remedy} {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%s is %s, %s: the error is %v, want it to say %q", m.Name, level, name, err, want)
					}
				}
			}
			if err := s.Check(&protocol.Welcome{Sealed: append(reported, m.Name)}); err != nil {
				t.Errorf("everything is reported: %v", err)
			}
		}
	}
	if err := pool.NewSeals(nil).Check(&protocol.Welcome{}); err == nil || !strings.Contains(err.Error(), child.ParentDeathSignal) {
		t.Errorf("nothing is reported, and the error is %v, want one that names the first measure that is required", err)
	}
	if err := pool.NewSeals(child.Levels(child.Off)).Check(&protocol.Welcome{}); err != nil {
		t.Errorf("nothing is required: %v", err)
	}
}

// TestSealingRefused has a machine not give each namespace in turn, at each level.
func TestSealingRefused(t *testing.T) {
	for _, name := range child.Namespaces {
		for _, level := range []child.Level{child.Required, child.Wanted, child.Off} {
			s := pool.NewSeals(map[string]child.Level{name: level})
			if err := s.CheckRefused(); err != nil {
				t.Errorf("nothing was refused: %v", err)
			}
			s.Refuse(name, "no space left on device")
			err := s.CheckRefused()
			if level != child.Required {
				if err != nil {
					t.Errorf("%s is %s: %v", name, level, err)
				}
				continue
			}
			m, ok := child.FindMeasure(name)
			var unavailable *protocol.Unavailable
			if !ok || !errors.As(err, &unavailable) {
				t.Fatalf("%s is %s: the error is %v", name, level, err)
			}
			for _, want := range []string{`"` + name + `"`, "no space left on device", m.Remedy} {
				if !strings.Contains(unavailable.Reason, want) {
					t.Errorf("%s is %s: the reason is %q, want it to say %q", name, level, unavailable.Reason, want)
				}
			}
		}
	}
}
