package pool_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of how executions are ended before their time: by
// deadlines, by bounds on memory, by their callers.

// TestDeadline runs programs beyond their deadlines. Those that the engine can
// interrupt cost nothing, the others cost their child.
func TestDeadline(t *testing.T) {
	patient, strict := newPool(t, pool.Config{Size: 1, Grace: patience}), newPool(t, pool.Config{Size: 1})
	const limit = 150 * time.Millisecond
	wall := protocol.Limits{Wall: limit}
	for _, test := range []struct {
		name, source string
		limits       protocol.Limits
		kind, how    string
	}{
		{"a loop", "() => { for (;;); }", wall, protocol.ClockWall, protocol.HowInterrupted},
		{"a loop that catches everything", "() => { for (;;) try { for (;;); } catch {} finally { continue } }", wall, protocol.ClockWall, protocol.HowInterrupted},
		{"endless microtasks", "async () => { for (;;) await 1 }", wall, protocol.ClockWall, protocol.HowInterrupted},
		{"a timer", "() => new Promise(r => setTimeout(r, 1e6))", wall, protocol.ClockWall, protocol.HowInterrupted},
		{"a result that takes for ever", "() => ({ get a() { for (;;); } })", wall, protocol.ClockWall, protocol.HowInterrupted},
		{"CPU time", "() => { for (;;); }", protocol.Limits{CPU: limit}, protocol.ClockCPU, protocol.HowInterrupted},
		{"Array.from", "() => Array.from({length: 1e9})", wall, protocol.ClockWall, protocol.HowKilled},
		{"indexOf", "() => Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)", wall, protocol.ClockWall, protocol.HowKilled},
		{"CPU time in a native function", "() => Array.prototype.includes.call({length: 2 ** 53 - 1}, 1)", protocol.Limits{CPU: limit}, protocol.ClockCPU, protocol.HowKilled},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := patient
			if test.how == protocol.HowKilled {
				p = strict
			}
			waitReady(t, p)
			kills := p.Stats().Kills
			r := request(test.source)
			r.Limits = test.limits
			begun := time.Now()
			result := p.Execute(t.Context(), pool.Job{Request: r})
			took := time.Since(begun)
			fault := wantFault[*protocol.DeadlineExceeded](t, result)
			if fault.Kind != test.kind || fault.How != test.how || fault.LimitMS != limit.Milliseconds() || fault.ElapsedMS < fault.LimitMS {
				t.Errorf("the fault is %v", fault)
			}
			// Generous: the race detector and a busy machine are slow.
			if took > limit+3*time.Second {
				t.Errorf("it took %v", took)
			}
			if killed := p.Stats().Kills > kills; killed != (test.how == protocol.HowKilled) {
				t.Errorf("whether the child was killed: %v", killed)
			}
			wantValue(t, execute(t, p, "() => 1"), "1")
		})
	}
}

// TestMemory runs programs beyond each bound on memory.
func TestMemory(t *testing.T) {
	p := sharedPool(t)
	for _, test := range []struct{ name, source, kind string }{
		{"the heap, interrupted", "() => { const a = []; for (;;) a.push({}) }", protocol.MemoryHeap},
		{"the heap, fatally", "() => [...'.'.repeat(5e8)]", protocol.MemoryHeap},
		{"array buffers", "() => { const a = []; for (;;) a.push(new ArrayBuffer(1 << 20)) }", protocol.MemoryExternal},
		// The engine's heap limit does not hold this one, RLIMIT_DATA does.
		{"the process", "() => JSON.parse('[' + '1,'.repeat(2 ** 24 - 1) + '1]').length", protocol.MemoryProcess},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := request(test.source)
			r.Limits.Heap, r.Limits.External = 32<<20, 16<<20
			fault := wantFault[*protocol.MemoryExceeded](t, p.Execute(t.Context(), pool.Job{Request: r}))
			if fault.Kind != test.kind {
				t.Errorf("the fault is %v", fault)
			}
			waitReady(t, p)
			wantValue(t, execute(t, p, "() => 1"), "1")
		})
	}
}

// TestMemoryThatIsGranted checks that the bound on the process leaves room for
// all that the limits allow at once.
func TestMemoryThatIsGranted(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector's own memory counts against the bound; make test runs this test without it as well")
	}
	p := sharedPool(t)
	const source = `async (input) => {
		const buffers = []
		for (let i = 0; i < 60; i++) buffers.push(new Uint8Array(1 << 20).fill(7))
		const heap = []
		for (let i = 0; i < 4e5; i++) heap.push({ i })
		const text = await tools.f(input)
		return text.length + input.length + buffers.length + heap.length > 0 ? "x".repeat(8e6) : ""
	}`
	r := request(source)
	r.Limits.Wall, r.Limits.CPU = time.Minute, time.Minute
	long := make([]byte, 7<<20)
	for i := range long {
		long[i] = 'y'
	}
	r.Input = protocol.Value(strconv.Quote(string(long)))
	result := p.Execute(t.Context(), pool.Job{Request: r, Tool: reply(string(r.Input))})
	if result.Fault != nil || len(result.Value) != 8e6+2 {
		t.Errorf("a value of %d bytes, the fault %v", len(result.Value), result.Fault)
	}
}

// TestCancel checks the ways in which a caller gives up.
func TestCancel(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1, Grace: patience})
	busy := func() { waitFor(t, "the child to be busy", func() bool { return p.Stats().Busy == 1 }) }
	t.Run("before the start", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		executions := p.Stats().Executions
		fault := wantFault[*protocol.Cancelled](t, p.Execute(ctx, pool.Job{Request: request("() => 1")}))
		if fault.Started {
			t.Errorf("it started: %d executions", p.Stats().Executions-executions)
		}
	})
	t.Run("running", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan *protocol.Result, 1)
		go func() {
			done <- p.Execute(ctx, pool.Job{Request: request("async () => { console.log(1); await tools.f(); for (;;); }"), Tool: reply("1")})
		}()
		busy()
		cancel(errors.New("the user went away"))
		fault := wantFault[*protocol.Cancelled](t, <-done)
		if fault.Reason != "the user went away" || !fault.Started {
			t.Errorf("the fault is %v, started %v", fault, fault.Started)
		}
	})
	t.Run("running, by a deadline of the context", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		fault := wantFault[*protocol.Cancelled](t, p.Execute(ctx, pool.Job{Request: request("() => { for (;;); }")}))
		if fault.Reason != "context deadline exceeded" {
			t.Errorf("the fault is %v", fault)
		}
	})
	t.Run("running, with a fault as the cause", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan *protocol.Result, 1)
		go func() { done <- p.Execute(ctx, pool.Job{Request: request("() => { for (;;); }")}) }()
		busy()
		cancel(&protocol.Disconnected{Reason: "the socket was closed"})
		if fault := wantFault[*protocol.Disconnected](t, <-done); fault.Reason != "the socket was closed" {
			t.Errorf("the fault is %v", fault)
		}
	})
	if s := p.Stats(); s.Kills+s.Crashes > 0 {
		t.Errorf("programs that can be interrupted cost children: %+v", s)
	}
	t.Run("queued", func(t *testing.T) {
		running, stop := context.WithCancel(t.Context())
		done := make(chan *protocol.Result, 1)
		go func() { done <- p.Execute(running, pool.Job{Request: request("() => { for (;;); }")}) }()
		busy()
		ctx, cancel := context.WithCancel(t.Context())
		queued := make(chan *protocol.Result, 1)
		go func() { queued <- p.Execute(ctx, pool.Job{Request: request("() => 1")}) }()
		waitFor(t, "the queue", func() bool { return p.Stats().Queued == 1 })
		cancel()
		if fault := wantFault[*protocol.Cancelled](t, <-queued); fault.Started {
			t.Error("it started")
		}
		if n := p.Stats().Queued; n != 0 {
			t.Errorf("%d executions are in the queue", n)
		}
		stop()
		wantFault[*protocol.Cancelled](t, <-done)
	})
	wantValue(t, execute(t, p, "() => 1"), "1")
}

// TestCancelKills cancels a program that the engine cannot interrupt.
func TestCancelKills(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan *protocol.Result, 1)
	go func() {
		done <- p.Execute(ctx, pool.Job{Request: request("() => Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)")})
	}()
	waitFor(t, "the child to be busy", func() bool { return p.Stats().Busy == 1 })
	pid := p.Stats().Children[0].PID
	begun := userTime(t, pid)
	// It is in the function when it has used far more time than it takes to start.
	waitFor(t, "the program to be in the function", func() bool { return userTime(t, pid) > begun+100*time.Millisecond })
	cancel()
	wantFault[*protocol.Cancelled](t, <-done)
	if s := p.Stats(); s.Kills != 1 {
		t.Errorf("%d children were killed", s.Kills)
	}
	waitReady(t, p)
	wantValue(t, execute(t, p, "() => 1"), "1")
}
