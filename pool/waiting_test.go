package pool_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of time spent in tools: the bound on one call, and
// the wall clock that does not count it.

// never is a tool that ignores its context until the test is over.
func never(t *testing.T) pool.ToolHandler {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return func(context.Context, string, string, string) string {
		<-over
		return `{"ok":"too late"}`
	}
}

// TestToolTime checks what becomes of a tool that takes too long.
func TestToolTime(t *testing.T) {
	p := sharedPool(t)
	r := request(`async () => {
		const seen = []
		for (let i = 0; i < 3; i++) try { await tools.f() } catch (e) { seen.push(e.name, e.message) }
		seen.push(await tools.g())
		return seen
	}`)
	r.Limits.ToolTime, r.Limits.CallsInFlight = 30*time.Millisecond, 1
	stuck := never(t)
	causes := make(chan string, 3)
	result := p.Execute(t.Context(), pool.Job{Request: r, Tool: func(ctx context.Context, namespace, tool, args string) string {
		if tool == "g" {
			return `{"ok":1}`
		}
		<-ctx.Done()
		causes <- context.Cause(ctx).Error()
		return stuck(ctx, namespace, tool, args)
	}})
	const message = "the tool tools.f did not answer within 30ms"
	wantValue(t, result, "["+strings.Repeat(`"ToolTimeout","`+message+`",`, 3)+"1]")
	for range 3 {
		if cause := <-causes; !strings.Contains(cause, message) {
			t.Errorf("the context ended because of %q", cause)
		}
	}
	var outcomes []protocol.Outcome
	for _, call := range result.Calls {
		outcomes = append(outcomes, call.Outcome)
		if call.Outcome == protocol.OutcomeError && call.DurationMS < 29 {
			t.Errorf("a call ended after %d ms", call.DurationMS)
		}
	}
	if want := []protocol.Outcome{protocol.OutcomeError, protocol.OutcomeError, protocol.OutcomeError, protocol.OutcomeOK}; !slices.Equal(outcomes, want) {
		t.Errorf("the outcomes are %v", outcomes)
	}
}

// TestToolTimeOfMany checks that each of several open calls has its own time, and
// that one which answers late is not heard.
func TestToolTimeOfMany(t *testing.T) {
	p := sharedPool(t)
	r := request(`async () => {
		const all = await Promise.allSettled([tools.f(0), tools.g(1), tools.f(2), tools.g(3)])
		await tools.g(4)
		return all.map((x) => x.value ?? x.reason.name)
	}`)
	r.Limits.ToolTime = 50 * time.Millisecond
	late := make(chan struct{})
	result := p.Execute(t.Context(), pool.Job{Request: r, Tool: func(ctx context.Context, _, tool, args string) string {
		if tool == "f" {
			<-ctx.Done()
			defer func() { late <- struct{}{} }()
			return `{"ok":"late"}`
		}
		if args == "[4]" {
			<-late // both have answered by now, or are about to
			<-late
		}
		return `{"ok":` + args + `}`
	}})
	wantValue(t, result, `["ToolTimeout",[1],"ToolTimeout",[3]]`)
}

// TestWallClock checks that the wall clock can leave out the time in tools, on
// both sides.
func TestWallClock(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1, Grace: 50 * time.Millisecond})
	const limit = 400 * time.Millisecond
	slow := func(context.Context, string, string, string) string {
		<-time.After(limit + limit/2)
		return `{"ok":1}`
	}
	run := func(source string, clock protocol.WallClock) *protocol.Result {
		r := request(source)
		r.Limits.Wall, r.WallClock = limit, clock
		return p.Execute(t.Context(), pool.Job{Request: r, Tool: slow})
	}
	wantValue(t, run("async () => await tools.f()", protocol.WallClockProgram), "1")
	wantValue(t, run("async () => await tools.f() + await tools.g()", protocol.WallClockProgram), "2")
	for source, clock := range map[string]protocol.WallClock{
		"async () => await tools.f()":                             "",
		"async () => { await tools.f(); for (;;); }":              protocol.WallClockProgram,
		"async () => { tools.f(); await null; for (;;); }":        protocol.WallClockProgram, // works while a call is open
		"async () => { await tools.f(); new Array(2e9).fill(0) }": protocol.WallClockProgram, // does not listen
		"() => new Promise((r) => setTimeout(r, 1e6, tools.f()))": "",
	} {
		f := wantFault[*protocol.DeadlineExceeded](t, run(source, clock))
		if f.Kind != protocol.ClockWall || f.LimitMS != limit.Milliseconds() || f.ElapsedMS < f.LimitMS {
			t.Errorf("%s: the fault is %v", source, f)
		}
	}
	waitReady(t, p)
	wantValue(t, execute(t, p, "() => 1"), "1")
}

// TestHostileWaiting has children that keep the wall clock standing by a tool
// call that is open, and take no notice of anything.
func TestHostileWaiting(t *testing.T) {
	p := newHostilePool(t, "obeys", pool.Config{Size: 1})
	run := func(act string, l protocol.Limits, tool pool.ToolHandler) *protocol.DeadlineExceeded {
		r := request(act)
		r.Limits, r.WallClock = l, protocol.WallClockProgram
		begun := time.Now()
		f := wantFault[*protocol.DeadlineExceeded](t, p.Execute(t.Context(), pool.Job{Request: r, Tool: tool}))
		if took := time.Since(begun); f.How != protocol.HowKilled || took > 5*time.Second {
			t.Errorf("%s: the fault is %v after %v", act, f, took)
		}
		return f
	}
	// The calls end by themselves, and then the clock goes on.
	if f := run("deaf", protocol.Limits{Wall: 50 * time.Millisecond, ToolTime: 100 * time.Millisecond}, never(t)); f.Kind != protocol.ClockWall {
		t.Errorf("the fault is %v", f)
	}
	if f := run("call-and-burn", protocol.Limits{Wall: 50 * time.Millisecond, CPU: 100 * time.Millisecond}, never(t)); f.Kind != protocol.ClockCPU {
		t.Errorf("the fault is %v", f)
	}
	// Without a call there is no waiting.
	if f := run("ignore", protocol.Limits{Wall: 50 * time.Millisecond}, nil); f.Kind != protocol.ClockWall {
		t.Errorf("the fault is %v", f)
	}
	waitReady(t, p)
	wantValue(t, execute(t, p, "value 1"), "1")
}
