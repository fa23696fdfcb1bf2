package pool_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of failing closed with real children.

// wantUnsealed demands that New fails, says all of that, and leaves nothing.
func wantUnsealed(t *testing.T, c pool.Config, want ...string) {
	t.Helper()
	files, processes := openFiles(t), len(childrenOf(os.Getpid()))
	p, err := pool.New(t.Context(), c)
	if err == nil {
		p.Close()
		t.Fatal("the pool was started")
	}
	var unavailable *protocol.Unavailable
	if !errors.As(err, &unavailable) {
		t.Fatalf("the error is %v, want one of type %T", err, unavailable)
	}
	for _, text := range want {
		if !strings.Contains(unavailable.Reason, text) {
			t.Errorf("the reason is %q, want it to say %q", unavailable.Reason, text)
		}
	}
	if left := childrenOf(os.Getpid()); len(left) != processes {
		t.Errorf("processes are left, there were %d before: %v", processes, left)
	}
	if after := openFiles(t); after > files {
		t.Errorf("%d descriptors are open, there were %d before", after, files)
	}
}

// remedy returns what an operator can do where a measure cannot be reached.
func remedy(t *testing.T, name string) string {
	t.Helper()
	m, ok := child.FindMeasure(name)
	if !ok || m.Remedy == "" {
		t.Fatalf("there is no remedy for %s", name)
	}
	return m.Remedy
}

// TestSealingUnreached requires measures that a real child cannot reach.
func TestSealingUnreached(t *testing.T) {
	for _, test := range []struct {
		name   string
		levels map[string]child.Level
		want   []string
	}{
		{"threads are counted in a user namespace only", map[string]child.Level{child.Processes: child.Required, child.UserNamespace: child.Off},
			[]string{child.Processes, "counts all processes of the user", remedy(t, child.Processes)}},
		{"a root of its own needs mounts of its own", map[string]child.Level{child.EmptyRoot: child.Required, child.MountNamespace: child.Off, child.PIDNamespace: child.Off},
			[]string{child.EmptyRoot, child.MountNamespace, remedy(t, child.EmptyRoot)}},
	} {
		t.Run(test.name, func(t *testing.T) { wantUnsealed(t, pool.Config{Size: 1, Sealing: test.levels}, test.want...) })
	}
}

// TestSealingUnreported requires of a child, which reports nothing, each measure in
// turn.
func TestSealingUnreported(t *testing.T) {
	for _, m := range child.Measures() {
		t.Run(m.Name, func(t *testing.T) {
			levels := child.Levels(child.Off)
			levels[m.Name] = child.Required
			want := []string{m.Name, m.Remedy}
			if !slices.Contains(child.Namespaces, m.Name) { // a machine may not give them at all
				want = append(want, "the child does not report it")
			}
			wantUnsealed(t, pool.Config{Size: 1, ChildPath: hostile.path(t, "obeys"), Sealing: levels}, want...)
		})
	}
}

// TestSealingWithoutMounts has a measure that another one needs, which is off.
func TestSealingWithoutMounts(t *testing.T) {
	off := map[string]child.Level{child.MountNamespace: child.Off}
	p := newPool(t, pool.Config{Size: 1, Sealing: off})
	wantValue(t, execute(t, p, "() => 1"), "1")
	for _, state := range p.Stats().Sealing {
		// Where the machine gives no such namespace anyway the reason is another.
		if state.Measure == child.PIDNamespace && (state.InForce || !strings.Contains(state.Reason, child.MountNamespace) && !strings.Contains(state.Reason, "kernel")) {
			t.Errorf("the state is %+v", state)
		}
	}
	off[child.PIDNamespace] = child.Required
	wantUnsealed(t, pool.Config{Size: 1, Sealing: off}, child.PIDNamespace, remedy(t, child.PIDNamespace))
}

// TestSealingWanted checks that a measure that is only wanted is reported missing.
func TestSealingWanted(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1, Sealing: map[string]child.Level{child.UserNamespace: child.Off}})
	wantValue(t, execute(t, p, "() => 1"), "1")
	for _, state := range p.Stats().Sealing {
		switch state.Measure {
		case child.UserNamespace:
			if state.Level != child.Off || state.InForce || state.Reason != "the configuration turns it off" {
				t.Errorf("the state is %+v", state)
			}
		case child.Processes:
			if state.Level != child.Wanted || state.InForce || !strings.Contains(state.Reason, "counts all processes") {
				t.Errorf("the state is %+v", state)
			}
		}
	}
}
