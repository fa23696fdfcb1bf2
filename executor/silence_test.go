package executor_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of the silence after an execution's end.

// TestPendingCalls checks that calls and timers which a program did not wait for
// are reported.
func TestPendingCalls(t *testing.T) {
	result, err := shared.Execute(t.Context(), executor.Request{
		Source: "async () => { host.wait(); host.wait(); host.echo(); await host.echo(); setTimeout(() => {}, 1e6); return 1 }",
		Tools: executor.Tools{"host": {
			"echo": func(context.Context, []any) (any, error) { return nil, nil },
			"wait": func(ctx context.Context, _ []any) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
		}},
	})
	if err != nil || string(result.Value) != "1" {
		t.Fatalf("the value is %s, the error %v", result.Value, err)
	}
	// Of the two echoes the first may be answered last.
	if u := result.Usage; u.PendingCalls < 2 || u.PendingCalls > 3 || u.PendingTimers != 1 || u.ToolCalls != 4 {
		t.Errorf("the usage is %+v", u)
	}
	abandoned := 0
	for _, call := range result.Calls {
		if call.Outcome == protocol.OutcomeAbandoned {
			abandoned++
		}
	}
	if abandoned < 2 || abandoned > 3 || len(result.Calls) != 4 {
		t.Errorf("the calls are %v", result.Calls)
	}
}

// TestSilence runs programs that would go on after their end, and checks that
// neither a log entry nor a tool call arrives when Execute has returned.
func TestSilence(t *testing.T) {
	e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1}})
	const busy = `
		const micro = () => { console.log('micro'); return Promise.resolve().then(micro) }
		setInterval(() => { console.log('timer'); host.f() }, 1)
		setTimeout(() => { console.log('timer'); host.f() }, 0)
		host.f().then(() => { console.log('reply'); host.f() })
	`
	for _, test := range []struct {
		name, source string
		fault        protocol.Code
	}{
		{"a value", "() => {" + busy + "micro(); return 1 }", ""},
		{"a value, later", "async () => {" + busy + "await host.f(); return 1 }", ""},
		{"an error", "() => {" + busy + "micro(); throw new Error('x') }", protocol.CodeThrown},
		{"a value that calls while it is encoded", "() => {" + busy + "return { get a() { console.log('getter'); host.f(); return 1 } } }", ""},
		{"the deadline", "() => {" + busy + "return new Promise(() => {}) }", protocol.CodeDeadlineExceeded},
		{"the deadline, in a flood", "() => {" + busy + "micro(); return new Promise(() => {}) }", protocol.CodeDeadlineExceeded},
	} {
		t.Run(test.name, func(t *testing.T) {
			var over atomic.Bool
			wall := 10 * time.Second
			if test.fault == protocol.CodeDeadlineExceeded {
				wall = 100 * time.Millisecond
			}
			var logs int // OnLog is called by this goroutine
			result, err := e.Execute(t.Context(), executor.Request{
				Source: test.source,
				Limits: protocol.Limits{Wall: wall, CPU: 10 * time.Second, ToolCalls: 100_000, LogEntries: 100},
				Tools: executor.Tools{"host": {"f": func(context.Context, []any) (any, error) {
					if over.Load() {
						t.Error("a tool was called after Execute had returned")
					}
					return nil, nil
				}}},
				OnLog: func(protocol.LogEntry) {
					if over.Load() {
						t.Error("OnLog was called after Execute had returned")
					}
					logs++
				},
			})
			over.Store(true)
			var code protocol.Code
			if result.Fault != nil {
				code = result.Fault.Code()
			}
			if code != test.fault {
				t.Fatalf("it ended in %v", err)
			}
			if logs != len(result.Logs) {
				t.Errorf("%d entries were streamed, %d are in the result", logs, len(result.Logs))
			}
			// Time enough for what would come, in the same child.
			after, err := e.Execute(t.Context(), executor.Request{Source: "() => new Promise((r) => setTimeout(r, 30, typeof host))"})
			if err != nil || string(after.Value) != `"undefined"` || after.Usage.Child != result.Usage.Child {
				t.Errorf("the next value is %s in child %d, after child %d, the error %v", after.Value, after.Usage.Child, result.Usage.Child, err)
			}
		})
	}
}

// TestLateReply has tools answer when their execution has ended and the same
// child runs another, which waits for a call of its own.
func TestLateReply(t *testing.T) {
	e := newExecutor(t, executor.Config{Pool: pool.Config{Size: 1, Grace: 50 * time.Millisecond}})
	proceed, replied := make(chan struct{}), make(chan struct{})
	first, err := e.Execute(t.Context(), executor.Request{
		Source: "() => { host.slow(); return 1 }",
		Tools: executor.Tools{"host": {"slow": func(context.Context, []any) (any, error) {
			defer close(replied)
			<-proceed // whatever its context says
			return "late", nil
		}}},
	})
	if err != nil || first.Usage.PendingCalls != 1 {
		t.Fatalf("%v, %+v", err, first.Usage)
	}
	second, err := e.Execute(t.Context(), executor.Request{
		Source: "async () => await host.own()",
		Tools: executor.Tools{"host": {"own": func(context.Context, []any) (any, error) {
			close(proceed)
			<-replied
			return "its own", nil
		}}},
	})
	if err != nil || string(second.Value) != `"its own"` || second.Usage.Child != first.Usage.Child {
		t.Errorf("the value is %s in child %d, after child %d, the error %v", second.Value, second.Usage.Child, first.Usage.Child, err)
	}
}
