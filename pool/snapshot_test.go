package pool_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/pool/child"
	"github.com/isogate/isogate/sandbox"
)

// This file owns tests of pools that start from the snapshot of another.

func TestSnapshotOfAnother(t *testing.T) {
	first := newPool(t, pool.Config{Size: 1})
	second := newPool(t, pool.Config{Size: 1, MaxUses: 1, Snapshot: first.Snapshot()})
	if a, b := first.Stats().SnapshotSize, second.Stats().SnapshotSize; a != b || a == 0 {
		t.Errorf("the sizes of the snapshots are %d and %d, must be the same", a, b)
	}
	wantValue(t, second.Execute(t.Context(), pool.Job{Request: request("() => new URL('/a', 'https://host').href")}), `"https://host/a"`)
	// What it was given it keeps: its children are replaced from it, and a third pool started.
	first.Close()
	third := newPool(t, pool.Config{Size: 1, Snapshot: second.Snapshot()})
	for _, p := range []*pool.Pool{second, second, third} {
		wantValue(t, p.Execute(t.Context(), pool.Job{Request: request("() => 6 * 7")}), "42")
	}
}

func TestSnapshotThatDoesNotFit(t *testing.T) {
	open := sharedPool(t)
	closed := newPool(t, pool.Config{Size: 1})
	closed.Close()
	for _, c := range []struct {
		name, says string
		is         error
		config     pool.Config
	}{
		{"another profile", "Config.Snapshot: the snapshot is of the profile hardened, not jit", nil, pool.Config{Profile: sandbox.ProfileJIT, Snapshot: open.Snapshot()}},
		{
			"other namespaces", `Config.Snapshot: the snapshot is of a pool with another level of the measure "` + child.NetworkNamespace, nil,
			pool.Config{Sealing: map[string]child.Level{child.NetworkNamespace: child.Off}, Snapshot: open.Snapshot()},
		},
		{"a pool that was closed", "Config.Snapshot: ", os.ErrClosed, pool.Config{Snapshot: closed.Snapshot()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := openFiles(t)
			c.config.Size = 1
			p, err := pool.New(context.Background(), c.config)
			if err == nil {
				p.Close()
				t.Fatal("New started a pool")
			}
			if !strings.Contains(err.Error(), c.says) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("the error is %q, must say %q", err, c.says)
			}
			if after := openFiles(t); after > before {
				t.Errorf("%d descriptors are open, there were %d before New", after, before)
			}
		})
	}
}
