//go:build cgo

package v8

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file watches over what the shim relies on where headers (11.1) and
// library (10.9) differ, so that a change of either is noticed at once.

func TestABIVersion(t *testing.T) {
	if got, want := Version(), "10.9.194.9-v8go"; got != want {
		t.Errorf("V8 is %s; the shim was checked against %s", got, want)
	}
}

func TestABISizes(t *testing.T) {
	onEngineThread(t, func(t *testing.T, _ []byte) {
		got := abi()
		// StartupData, CreateParams, ResourceConstraints, ScriptOrigin,
		// ScriptCompiler::Source, HeapStatistics, PromiseRejectMessage,
		// SnapshotCreator, the sandbox's size, and whether it is secure.
		want := []int64{16, 152, 48, 48, 64, 112, 24, 8, 1 << 40, 1}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// The heap limit goes in through ResourceConstraints and comes out through
// HeapStatistics: both structures are laid out as the headers say.
func TestABIHeapLimit(t *testing.T) {
	onEngineThread(t, func(t *testing.T, blob []byte) {
		for _, limit := range []int64{16 << 20, 64 << 20, 256 << 20} {
			i, _ := newIsolate(t, blob, limit)
			s := i.Stats()
			if s.HeapLimit < limit || s.HeapLimit > limit+limit/4+(16<<20) {
				t.Errorf("a limit of %d is read back as %d", limit, s.HeapLimit)
			}
			if s.UsedHeap <= 0 || s.UsedHeap > 8<<20 {
				t.Errorf("a fresh heap of %d bytes", s.UsedHeap)
			}
			i.Dispose()
		}
	})
}

// External::Value round-trips (every host call relies on it) and so does the
// isolate's data slot.
func TestABIExternal(t *testing.T) {
	onEngineThread(t, func(t *testing.T, blob []byte) {
		a, ra := newIsolate(t, blob, 16<<20)
		b, rb := newIsolate(t, blob, 16<<20)
		a.Run("() => 'a'", "program", false, "")
		b.Run("() => 'b'", "program", false, "")
		if diff := cmp.Diff([][]string{{`"a"`}, {`"b"`}}, [][]string{ra.texts(OpResult), rb.texts(OpResult)}); diff != "" {
			t.Error(diff)
		}
		a.Dispose()
		b.Dispose()
	})
}
