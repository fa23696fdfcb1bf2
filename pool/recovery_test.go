package pool_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of how a pool gets over the death of its children.

// TestCrashWhileStarting has a child die before it has been given the whole request.
func TestCrashWhileStarting(t *testing.T) {
	p := newHostilePool(t, "chokes", pool.Config{Size: 1})
	r := request("value " + strings.Repeat(" ", 8<<20)) // more than a socket holds
	r.Limits.Source = 16 << 20
	for range 3 {
		waitReady(t, p)
		f := wantFault[*protocol.WorkerCrashed](t, p.Execute(t.Context(), pool.Job{Request: r}))
		if f.Phase != protocol.PhaseStarting || f.Status != 6 || f.Started || !f.Retryable() || len(f.Delivered) > 0 {
			t.Errorf("the fault is %v, started %v", f, f.Started)
		}
	}
	// What fits the socket may have been read.
	waitReady(t, p)
	f := wantFault[*protocol.WorkerCrashed](t, execute(t, p, "value 1"))
	if f.Phase != protocol.PhaseRunning || !f.Started || !f.Retryable() {
		t.Errorf("the fault is %v, started %v", f, f.Started)
	}
}

// TestCrashWhileEncoding kills a child while its program's value is being encoded.
// It is not told apart from one whose program runs: encoding runs the program's
// code too, here a getter that logs.
func TestCrashWhileEncoding(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1})
	r := request("() => ({ get a() { console.log('encoding'); for (;;); } })")
	result := p.Execute(t.Context(), pool.Job{Request: r, OnLog: func(protocol.LogEntry) {
		syscall.Kill(p.Stats().Children[0].PID, syscall.SIGKILL)
	}})
	f := wantFault[*protocol.WorkerCrashed](t, result)
	if f.Phase != protocol.PhaseRunning || f.Signal != "SIGKILL" || !f.Started || !f.Retryable() {
		t.Errorf("the fault is %v, started %v", f, f.Started)
	}
}

// TestRecovery makes every start of a child fail for a while.
func TestRecovery(t *testing.T) {
	p := newHostilePool(t, "breaks", pool.Config{Size: 2})
	wantValue(t, execute(t, p, "value 1"), "1")
	broken := filepath.Join(filepath.Dir(hostile.path(t, "breaks")), "broken")
	if err := os.WriteFile(broken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(broken)
	before := p.Stats()
	for _, c := range before.Children {
		syscall.Kill(c.PID, syscall.SIGKILL)
	}
	var fault *protocol.Unavailable
	waitFor(t, "the pool to be unavailable", func() bool {
		fault, _ = execute(t, p, "value 1").Fault.(*protocol.Unavailable)
		return fault != nil
	})
	if !strings.Contains(fault.Reason, "exit status 7") || fault.RetryAfterMS < 1 || !fault.Retryable() || fault.Started {
		t.Errorf("the fault is %v, retry after %d ms", fault, fault.RetryAfterMS)
	}
	// Ever more slowly: after half a second no more than a few have been tried.
	begun, lowest := time.Now(), int64(0)
	waitFor(t, "long pauses between the starts", func() bool {
		fault, _ = execute(t, p, "value 1").Fault.(*protocol.Unavailable)
		if fault == nil {
			t.Fatal("the pool is available")
		}
		lowest = max(lowest, fault.RetryAfterMS)
		return lowest > 500
	})
	t.Logf("after %v the next start is %d ms away", time.Since(begun).Round(time.Millisecond), lowest)

	// Nobody asks for anything, and it is whole again.
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	waitReady(t, p)
	for range 3 {
		wantValue(t, execute(t, p, "value 1"), "1")
	}
	if s := p.Stats(); s.Crashes < 2 || s.Children[0].ID-before.Children[1].ID > 10 {
		t.Errorf("the statistics are %+v", s)
	}
}

// TestOutgrown checks that children which keep too much memory are replaced, and
// that the pool can work all the while.
func TestOutgrown(t *testing.T) {
	const bound = 1 << 20 // no child can be so small
	p := newPool(t, pool.Config{Size: 1, MaxResident: bound, QueueLength: -1})
	first := p.Stats().Children[0].ID
	waitFor(t, "two smaller children in turn", func() bool {
		r := execute(t, p, "() => 1") // never refused
		wantValue(t, r, "1")
		for _, c := range p.Stats().Children {
			if c.ID == r.Usage.Child && c.Uses > 0 && c.Resident <= bound {
				t.Errorf("child %d has %d bytes", c.ID, c.Resident)
			}
		}
		return r.Usage.Child >= first+2
	})
	waitFor(t, "the children to be counted", func() bool { s := p.Stats(); return s.Outgrown >= 2 && s.Retired >= 2 })
	waitReady(t, p)

	roomy := newPool(t, pool.Config{Size: 1})
	for range 3 {
		wantValue(t, execute(t, roomy, "() => { const a = []; for (let i = 0; i < 1e6; i++) a.push({}); return 1 }"), "1")
	}
	s := roomy.Stats()
	if s.Outgrown != 0 || s.Children[0].Uses != 3 || s.Children[0].Resident <= bound {
		t.Errorf("the statistics are %+v", s)
	}
	t.Logf("after 30 MiB of heap a child keeps %d MiB", s.Children[0].Resident>>20)
}
