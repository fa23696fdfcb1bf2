package pool_test

import (
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of the rule that the side that fired decides: what
// comes after the parent's own deadline is no success, whatever the child says.

// TestHostileLate has children answer between the deadline and the kill.
func TestHostileLate(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1, Grace: 10 * time.Second})
	const limit = 50 * time.Millisecond
	wall := protocol.Limits{Wall: limit, CPU: 10 * time.Second}
	cpu := protocol.Limits{Wall: 20 * time.Second, CPU: limit}
	for _, test := range []struct {
		act    string
		limits protocol.Limits
		kind   string
	}{
		{"late-value 120", wall, protocol.ClockWall},
		{"late-fault 120", wall, protocol.ClockWall},
		{"work 300", cpu, protocol.ClockCPU},
	} {
		r := request(test.act)
		r.Limits = test.limits
		f := wantFault[*protocol.DeadlineExceeded](t, p.Execute(t.Context(), pool.Job{Request: r}))
		if f.Kind != test.kind || f.How != protocol.HowInterrupted || f.LimitMS != limit.Milliseconds() || f.ElapsedMS < 100 || !f.Started {
			t.Errorf("%s: the fault is %v, started %v", test.act, f, f.Started)
		}
	}
	// A limit that was passed stands, also when it is reported late.
	r := request("late-limit 120")
	r.Limits = wall
	wantFault[*protocol.MemoryExceeded](t, p.Execute(t.Context(), pool.Job{Request: r}))
	// And within the time nothing is late.
	r = request("late-value 20")
	wantValue(t, p.Execute(t.Context(), pool.Job{Request: r}), `"too late"`)
	if s := p.Stats(); s.Kills+s.Crashes > 0 || s.Executions != 5 {
		t.Errorf("children that stopped by themselves were killed: %+v", s)
	}
}

// TestUninterruptible runs native functions that take no notice of the
// interruption, and return a value long after it.
func TestUninterruptible(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1, Grace: 30 * time.Second})
	for _, source := range []string{
		"() => 'ǆ'.repeat(2 ** 22).normalize('NFKD').length",
		"() => ('b'.repeat(2 ** 20) + 'a').repeat(4).replaceAll('a', 'b'.repeat(2 ** 20)).localeCompare('c'.repeat(2 ** 22)) < 2",
	} {
		r := request(source)
		free := p.Execute(t.Context(), pool.Job{Request: r})
		if free.Fault != nil {
			t.Fatalf("%s, with enough time: %v", source, free.Fault)
		}
		took := time.Duration(free.Usage.WallMS * float64(time.Millisecond))
		limit := max(took/4, time.Millisecond)
		r.Limits.Wall = limit
		f := wantFault[*protocol.DeadlineExceeded](t, p.Execute(t.Context(), pool.Job{Request: r}))
		if f.Kind != protocol.ClockWall || f.How != protocol.HowInterrupted {
			t.Errorf("%s: the fault is %v", source, f)
		}
		t.Logf("%s: %v with enough time; with %v ended after %d ms", source, took, limit, f.ElapsedMS)
	}
	if s := p.Stats(); s.Kills+s.Crashes > 0 {
		t.Errorf("the statistics are %+v", s)
	}
}
