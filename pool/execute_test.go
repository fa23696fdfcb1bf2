package pool_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of what an execution gives: values, tool calls, logs.
// All children here are real ones.

func TestValue(t *testing.T) {
	p := sharedPool(t)
	for _, test := range []struct{ source, input, want string }{
		{"() => 6 * 7", "", "42"},
		{"(input) => input.n + 1", `{"n":1}`, "2"},
		{"() => {}", "", ""}, // undefined
		{"async () => new Set([1n])", "", `{"$":"set","v":[{"$":"bigint","v":"1"}]}`},
		{"export default [1, 2]", "", "[1,2]"},
	} {
		r := request(test.source)
		r.Input = protocol.Value(test.input)
		result := p.Execute(t.Context(), pool.Job{Request: r})
		wantValue(t, result, test.want)
		u := result.Usage
		if u.WallMS <= 0 || u.CPUMS <= 0 || u.PeakHeap <= 0 || u.Child == 0 || u.QueueMS < 0 {
			t.Errorf("%s: the usage is %+v", test.source, u)
		}
	}
}

// TestFault checks that faults of the program arrive with their progress.
func TestFault(t *testing.T) {
	p := sharedPool(t)
	syntax := wantFault[*protocol.Syntax](t, execute(t, p, "() => {\n\n  let let = 1 }"))
	if syntax.Line != 3 || syntax.Started {
		t.Errorf("the fault is %v, started %v", syntax, syntax.Started)
	}
	r := p.Execute(t.Context(), pool.Job{Request: request("async () => { await tools.f(); throw new TypeError('no') }"), Tool: reply("1")})
	thrown := wantFault[*protocol.Thrown](t, r)
	if thrown.Name != "TypeError" || thrown.Message != "no" || !thrown.Started || !slices.Equal(thrown.Delivered, []string{"tools.f"}) {
		t.Errorf("the fault is %#v", thrown)
	}
	wantFault[*protocol.Stalled](t, execute(t, p, "() => new Promise(() => {})"))
	invalid := wantFault[*protocol.InvalidRequest](t, p.Execute(t.Context(), pool.Job{Request: &protocol.Request{
		Source: "() => 1", Limits: protocol.Limits{Heap: 1},
	}}))
	if invalid.Field != "limits.heap" {
		t.Errorf("the field is %q", invalid.Field)
	}
	long := wantFault[*protocol.InvalidRequest](t, p.Execute(t.Context(), pool.Job{Request: &protocol.Request{
		Source: strings.Repeat(" ", int(protocol.DefaultMaxFrame)), Limits: protocol.Limits{Source: protocol.MaxLimits.Source},
	}}))
	if !strings.Contains(long.Reason, "more than the 33554432 of a frame") {
		t.Errorf("the reason is %q", long.Reason)
	}
}

func TestTools(t *testing.T) {
	p := sharedPool(t)
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "the caller's")
	for _, test := range []struct {
		name, source string
		tool         pool.ToolHandler
		want         string
		calls        []protocol.Call
	}{
		{
			name: "arguments and value", source: "async () => await tools.f(1, {a: [2]})",
			tool: func(ctx context.Context, namespace, tool, args string) string {
				return fmt.Sprintf(`{"ok":"%s.%s %s %v"}`, namespace, tool, strings.ReplaceAll(args, `"`, `'`), ctx.Value(key{}))
			},
			want:  `"tools.f [1,{'a':[2]}] the caller's"`,
			calls: []protocol.Call{{Name: "tools.f", Outcome: protocol.OutcomeOK}},
		},
		{
			name: "an error", source: "async () => { try { await tools.f() } catch (e) { return [e.name, e.message, e instanceof Error] } }",
			tool: func(context.Context, string, string, string) string {
				return `{"error":{"name":"NotFound","message":"no such city"}}`
			},
			want:  `["NotFound","no such city",true]`,
			calls: []protocol.Call{{Name: "tools.f", Outcome: protocol.OutcomeError}},
		},
		{
			name: "a panic", source: "async () => { try { await tools.f() } catch (e) { return e.message } }",
			tool:  func(context.Context, string, string, string) string { panic("secret") },
			want:  `"the tool panicked"`,
			calls: []protocol.Call{{Name: "tools.f", Outcome: protocol.OutcomeError}},
		},
		{
			name: "an ended goroutine", source: "async () => { try { await tools.f() } catch (e) { return e.message } }",
			tool:  func(context.Context, string, string, string) string { runtime.Goexit(); return "" },
			want:  `"the tool panicked"`,
			calls: []protocol.Call{{Name: "tools.f", Outcome: protocol.OutcomeError}},
		},
		{
			name: "no envelope", source: "async () => { try { await tools.f() } catch (e) { return e.message } }",
			tool:  func(context.Context, string, string, string) string { return "hello" },
			want:  `"the tool's reply is malformed"`,
			calls: []protocol.Call{{Name: "tools.f", Outcome: protocol.OutcomeError}},
		},
		{
			name: "no handler", source: "async () => { try { await tools.g() } catch (e) { return e.message } }",
			want:  `"the host answers no tool calls"`,
			calls: []protocol.Call{{Name: "tools.g", Outcome: protocol.OutcomeError}},
		},
		{
			name: "one that nobody awaits", source: "() => { tools.f(); return 1 }",
			tool: func(ctx context.Context, _, _, _ string) string {
				<-ctx.Done()
				return `{"ok":1}`
			},
			want:  "1",
			calls: []protocol.Call{{Name: "tools.f", Outcome: protocol.OutcomeAbandoned}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := p.Execute(ctx, pool.Job{Request: request(test.source), Tool: test.tool})
			wantValue(t, r, test.want)
			if d := cmp.Diff(test.calls, r.Calls, cmpopts.IgnoreFields(protocol.Call{}, "StartMS", "DurationMS")); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestConcurrentTools has all handlers wait for each other.
func TestConcurrentTools(t *testing.T) {
	p := sharedPool(t)
	const calls = 20
	var all sync.WaitGroup
	all.Add(calls)
	r := p.Execute(t.Context(), pool.Job{
		Request: request(fmt.Sprintf("async () => (await Promise.all(Array.from({length: %d}, (_, i) => tools.f(i)))).length", calls)),
		Tool: func(context.Context, string, string, string) string {
			all.Done()
			all.Wait()
			return `{"ok":1}`
		},
	})
	wantValue(t, r, fmt.Sprint(calls))
	if len(r.Calls) != calls || r.Usage.ToolCalls != calls {
		t.Errorf("%d calls are recorded, %d counted", len(r.Calls), r.Usage.ToolCalls)
	}
}

// TestToolNeverReturns checks that a handler which ignores its context holds up
// neither the caller nor the child.
func TestToolNeverReturns(t *testing.T) {
	p := sharedPool(t)
	release := make(chan struct{})
	returned := make(chan struct{})
	r := request("async () => await tools.f()")
	r.Limits.Wall = 100 * time.Millisecond
	begun := time.Now()
	result := p.Execute(t.Context(), pool.Job{Request: r, Tool: func(context.Context, string, string, string) string {
		defer close(returned)
		<-release
		return `{"ok":1}`
	}})
	took := time.Since(begun)
	fault := wantFault[*protocol.DeadlineExceeded](t, result)
	if fault.How != protocol.HowInterrupted || took > 5*time.Second {
		t.Errorf("the fault is %v after %v", fault, took)
	}
	if len(result.Calls) != 1 || result.Calls[0].Outcome != protocol.OutcomeAbandoned || !slices.Equal(fault.Delivered, []string{"tools.f"}) {
		t.Errorf("the calls are %v, delivered %v", result.Calls, fault.Delivered)
	}
	wantValue(t, execute(t, p, "() => 1"), "1") // while the handler still runs
	close(release)
	<-returned
}

// TestToolCancelled checks that a handler learns of the end, and is waited for.
func TestToolCancelled(t *testing.T) {
	p := sharedPool(t)
	r := request("async () => await tools.f()")
	r.Limits.Wall = 50 * time.Millisecond
	var returned atomic.Bool
	wantFault[*protocol.DeadlineExceeded](t, p.Execute(t.Context(), pool.Job{Request: r, Tool: func(ctx context.Context, _, _, _ string) string {
		<-ctx.Done()
		returned.Store(true)
		return `{"ok":1}`
	}}))
	if !returned.Load() {
		t.Error("Execute returned before the handler did")
	}
}

// TestReplyTooLarge checks the bounds on replies, which end the execution but
// not the child.
func TestReplyTooLarge(t *testing.T) {
	p := sharedPool(t)
	run := func(l protocol.Limits) *protocol.ReplyTooLarge {
		r := request("async () => { for (;;) await tools.f() }")
		l.Wall, l.CPU = r.Limits.Wall, r.Limits.CPU
		r.Limits = l
		return wantFault[*protocol.ReplyTooLarge](t, p.Execute(t.Context(), pool.Job{Request: r, Tool: reply(`"0123456789"`)}))
	}
	if f := run(protocol.Limits{Reply: 10}); f.Limit != 10 || f.Actual != 19 || f.Of != "tools.f" {
		t.Errorf("the fault is %v", f)
	}
	if f := run(protocol.Limits{ToolBytes: 100}); f.Limit != 100 || f.Of != "all tool calls" || len(f.Delivered) != 5 {
		t.Errorf("the fault is %v after %d calls", f, len(f.Delivered))
	}
}

// TestLogs checks that entries arrive while the program runs, and once more with
// the result, in order.
func TestLogs(t *testing.T) {
	p := sharedPool(t)
	first := make(chan struct{})
	var streamed []protocol.LogEntry
	r := p.Execute(t.Context(), pool.Job{
		Request: request(`async () => { console.log("a"); await tools.f(); console.error("b"); console.debug("c", 1) }`),
		Tool: func(context.Context, string, string, string) string {
			<-first // answered only when the first entry has been seen
			return `{"ok":1}`
		},
		OnLog: func(e protocol.LogEntry) {
			if len(streamed) == 0 {
				close(first)
			}
			streamed = append(streamed, e)
		},
	})
	wantValue(t, r, "")
	want := []protocol.LogEntry{{Level: protocol.LevelLog, Text: "a"}, {Level: protocol.LevelError, Text: "b"}, {Level: protocol.LevelDebug, Text: "c 1"}}
	if d := cmp.Diff(want, streamed, cmpopts.IgnoreFields(protocol.LogEntry{}, "MS")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(streamed, r.Logs); d != "" {
		t.Error(d)
	}
}

// TestLogsOfTheKilled checks that what was logged is not lost with the child.
func TestLogsOfTheKilled(t *testing.T) {
	p := newPool(t, pool.Config{Size: 1})
	r := request(`() => { console.log("before"); new Array(2 ** 32 - 2).fill(0) }`)
	r.Limits.Wall = 100 * time.Millisecond
	result := p.Execute(t.Context(), pool.Job{Request: r})
	if f := wantFault[*protocol.DeadlineExceeded](t, result); f.How != protocol.HowKilled {
		t.Errorf("the fault is %v", f)
	}
	if len(result.Logs) != 1 || result.Logs[0].Text != "before" {
		t.Errorf("the logs are %v", result.Logs)
	}
}

// TestOnLogPanics checks that a panic of the caller's own function reaches the
// caller, and leaves the pool in order.
func TestOnLogPanics(t *testing.T) {
	p := sharedPool(t)
	func() {
		defer func() {
			if recover() != "from OnLog" {
				t.Error("the panic did not reach the caller")
			}
		}()
		p.Execute(t.Context(), pool.Job{
			Request: request(`() => { console.log("a"); for (;;); }`),
			OnLog:   func(protocol.LogEntry) { panic("from OnLog") },
		})
	}()
	waitReady(t, p)
	wantValue(t, execute(t, p, "() => 1"), "1")
}
