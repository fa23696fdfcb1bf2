package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

func TestBounds(t *testing.T) {
	short := protocol.Limits{Wall: 100 * time.Millisecond}
	cases := []struct {
		name, source string
		change       []func(*protocol.Request)
		want         protocol.Code
		contains     string
	}{
		{"loop", "while (true) {}", []func(*protocol.Request){withLimits(short)}, protocol.CodeDeadlineExceeded, "wall-clock limit is 100ms"},
		{"loop that catches", "() => { for (;;) try { for (;;); } catch {} finally { for (;;); } }", []func(*protocol.Request){withLimits(short)}, protocol.CodeDeadlineExceeded, "wall"},
		{"waiting", "() => new Promise((r) => setTimeout(r, 1e6))", []func(*protocol.Request){withLimits(short)}, protocol.CodeDeadlineExceeded, "wall"},
		{"microtask flood", "() => { const f = () => Promise.resolve().then(f); f(); return new Promise(() => {}) }", []func(*protocol.Request){withLimits(short)}, protocol.CodeDeadlineExceeded, "wall"},
		{"flood with a result", "async () => { const f = () => Promise.resolve().then(f); f(); await null; await null; for (;;) await null }", []func(*protocol.Request){withLimits(short)}, protocol.CodeDeadlineExceeded, "wall"},
		{"loop while encoding", "() => ({ get a() { for (;;); } })", []func(*protocol.Request){withLimits(short)}, protocol.CodeDeadlineExceeded, "wall"},
		{"loop in an error's text", "() => { throw { get message() { for (;;); }, toString() { for (;;); } } }", []func(*protocol.Request){withLimits(short)}, protocol.CodeThrown, ""},
		{"processor time", "for (;;);", []func(*protocol.Request){withLimits(protocol.Limits{CPU: 50 * time.Millisecond})}, protocol.CodeDeadlineExceeded, "CPU-time limit is 50ms"},
		{"heap", "() => { const a = []; for (;;) a.push({}) }", []func(*protocol.Request){withLimits(protocol.Limits{Heap: 16 << 20})}, protocol.CodeMemoryExceeded, "heap limit is 16777216"},
		{"heap, catching", "() => { const a = []; for (;;) try { a.push([{}]) } catch {} }", []func(*protocol.Request){withLimits(protocol.Limits{Heap: 16 << 20})}, protocol.CodeMemoryExceeded, "heap"},
		{"source", "() => 'xxxxxxxxxxxx'", []func(*protocol.Request){withLimits(protocol.Limits{Source: 10})}, protocol.CodeSourceTooLarge, "the limit is 10 bytes, the actual is 20"},
		{"result", "() => 'x'.repeat(100)", []func(*protocol.Request){withLimits(protocol.Limits{Result: 50})}, protocol.CodeResultTooLarge, "the limit is 50 bytes"},
		{"result in bytes", "() => 'é'.repeat(40)", []func(*protocol.Request){withLimits(protocol.Limits{Result: 50})}, protocol.CodeResultTooLarge, "the actual is 82"},
		{"arguments", "() => tools.a('x'.repeat(100))", []func(*protocol.Request){withTools("a"), withLimits(protocol.Limits{Argument: 50})}, protocol.CodeArgumentsTooLarge, "(tools.a): the limit is 50"},
		{"calls in flight", "() => Promise.all([tools.never(), tools.never(), tools.never()])", []func(*protocol.Request){withTools("never"), withLimits(protocol.Limits{CallsInFlight: 2})}, protocol.CodeConcurrentCallsExceeded, "the limit is 2 calls in flight, the actual is 3"},
		{"timers", "() => { for (let i = 0; ; i++) try { setTimeout(() => {}, 1e6) } catch (e) { throw new Error(i + e.name) } }", []func(*protocol.Request){withLimits(protocol.Limits{Timers: 5})}, protocol.CodeThrown, "5RangeError"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := execute(t, c.source, c.change...)
			if r.Fault == nil || r.Fault.Code() != c.want && c.contains != "" {
				t.Fatalf("%s", text(r))
			}
			if c.contains != "" && !strings.Contains(r.Fault.Error(), c.contains) {
				t.Errorf("the fault's text lacks %q: %s", c.contains, text(r))
			}
			if after := text(execute(t, "() => 'fine'")); after != `"fine"` {
				t.Errorf("the next execution: %s", after)
			}
		})
	}
}

func TestToolCallsAreBounded(t *testing.T) {
	host := &testHost{tools: tools{"tools.a": func(string) string { return `{"ok":1}` }}}
	r := shared.Execute(context.Background(), request(t, "async () => { for (;;) await tools.a() }", withTools("a"), withLimits(protocol.Limits{ToolCalls: 7})), host)
	var exceeded *protocol.ToolCallsExceeded
	if !errors.As(r.Fault, &exceeded) || exceeded.Limit != 7 || exceeded.Actual != 8 {
		t.Fatalf("%s", text(r))
	}
	if len(host.calls) != 7 || len(exceeded.Delivered) != 7 || !exceeded.Started {
		t.Errorf("%d calls reached the host, the fault says %v", len(host.calls), exceeded.Progress)
	}
}

func TestLogsAreBounded(t *testing.T) {
	host := &testHost{}
	r := shared.Execute(context.Background(), request(t, "() => { for (let i = 0; i < 100; i++) console.log('é'.repeat(10)) }",
		withLimits(protocol.Limits{LogBytes: 105, LogEntries: 50})), host)
	if r.Fault != nil {
		t.Fatal(text(r))
	}
	if len(r.Logs) != 6 || r.Logs[5].Text != "éé" || r.Usage.DroppedLogs != 95 {
		t.Errorf("kept %d entries, dropped %d", len(r.Logs), r.Usage.DroppedLogs)
	}
	if diff := cmp.Diff(r.Logs, host.logs); diff != "" {
		t.Errorf("streamed entries differ:\n%s", diff)
	}
	r = execute(t, "() => { for (let i = 0; i < 100; i++) console.log(i) }", withLimits(protocol.Limits{LogEntries: 3}))
	if len(r.Logs) != 3 || r.Usage.DroppedLogs != 97 {
		t.Errorf("kept %d entries, dropped %d", len(r.Logs), r.Usage.DroppedLogs)
	}
}

// TestFaultTextsAreBounded checks the faults that quote what a program chose.
func TestFaultTextsAreBounded(t *testing.T) {
	long := strings.Repeat("<", 100_000)
	name := strings.Repeat("a", 100_000)
	for what, c := range map[string]struct {
		source string
		change []func(*protocol.Request)
		want   protocol.Code
	}{
		"a specifier made by the program": {"() => import('<'.repeat(1e6))", nil, protocol.CodeModuleNotFound},
		"a specifier in the text":         {"import '" + long + "'", nil, protocol.CodeModuleNotFound},
		"a pattern that does not parse":   {"() => /" + long + "(/", nil, protocol.CodeSyntax},
		"a pattern in typescript":         {"() => /" + long + "(/", []func(*protocol.Request){typescript}, protocol.CodeSyntax},
		"a name declared twice":           {"() => { let " + name + ", " + name + " }", nil, protocol.CodeSyntax},
		"a name declared twice, typed":    {"() => { let " + name + ", " + name + " }", []func(*protocol.Request){typescript}, protocol.CodeSyntax},
		"a name that is not exported":     {"import { " + name + " } from 'm'; " + name, []func(*protocol.Request){withModule("m", "", "")}, protocol.CodeSyntax},
		"a value that is no function":     {"'" + long + "'", nil, protocol.CodeThrown},
	} {
		t.Run(what, func(t *testing.T) {
			r := execute(t, c.source, append(c.change, withLimits(protocol.Limits{ErrorText: 1000}))...)
			if r.Fault == nil || r.Fault.Code() != c.want {
				t.Fatal(text(r))
			}
			encoded, err := protocol.EncodeFault(r.Fault)
			if err != nil {
				t.Fatal(err)
			}
			// A character takes six bytes at most, and there is an excerpt beside the text.
			if most := 6*1000 + 2000; len(encoded) > most {
				t.Errorf("the fault has %d bytes, want at most %d", len(encoded), most)
			}
		})
	}
	// What the program sees of it is bounded too.
	if got := text(execute(t, "() => import('x'.repeat(1e6)).catch((e) => e.message.length < 2000)", withLimits(protocol.Limits{ErrorText: 1000}))); got != "true" {
		t.Error(got)
	}
}

func TestCancel(t *testing.T) {
	for _, source := range []string{"for (;;);", "() => new Promise((r) => setTimeout(r, 1e6))", "() => tools.never()"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		cancelled := time.AfterFunc(20*time.Millisecond, func() { cancel(errors.New("enough")) })
		r := shared.Execute(ctx, request(t, source, withTools("never")), &testHost{})
		cancelled.Stop()
		if r.Fault == nil || r.Fault.Error() != "cancelled by the caller: enough" {
			t.Errorf("%s: %s", source, text(r))
		}
	}
}

// After the outcome nothing of a program reaches the host, and a reply that
// comes late goes nowhere.
func TestSilenceAfterTheEnd(t *testing.T) {
	host := &testHost{seen: make(chan protocol.ToolCall, 10)}
	r := shared.Execute(context.Background(), request(t, `() => {
		const again = () => Promise.resolve().then(() => { console.log('late'); tools.a(); return again() });
		setTimeout(() => console.log('later'), 0);
		tools.a();
		queueMicrotask(() => queueMicrotask(() => queueMicrotask(again)));
		return { toJSON() { queueMicrotask(again); return 1 } };
	}`, withTools("a")), host)
	if text(r) != "1" {
		t.Fatal(text(r))
	}
	before := len(host.logs)
	first := <-host.seen
	next := shared.Execute(context.Background(), request(t, "async () => { await new Promise((r) => setTimeout(r, 5)); return tools.a() }", withTools("a")),
		&testHost{tools: tools{"tools.a": func(string) string {
			shared.Reply(first.Call, `{"ok":"stolen"}`)
			shared.Reply(first.Call+1000, `{"ok":"unknown"}`)
			return `{"ok":"own"}`
		}}})
	if text(next) != `"own"` {
		t.Errorf("the next execution: %s", text(next))
	}
	if len(host.logs) != before {
		t.Errorf("log entries after the end: %v", host.logs[before:])
	}
	if r.Usage.PendingCalls != 1 || r.Usage.PendingTimers != 1 {
		t.Errorf("pending calls %d, pending timers %d", r.Usage.PendingCalls, r.Usage.PendingTimers)
	}
}

func TestNothingSurvivesAnExecution(t *testing.T) {
	execute(t, "() => { globalThis.left = 1; Object.prototype.polluted = 2; Array.prototype.map = null; JSON.stringify = null; /(a)/.test('a'); Promise.prototype.then = null }")
	got := text(execute(t, "() => [typeof left, ({}).polluted === undefined, typeof [].map, typeof JSON.stringify, RegExp.$1]"))
	if want := `["undefined",true,"function","function",""]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRandomnessDiffers(t *testing.T) {
	seen := map[string]bool{}
	for i := range 20 {
		seen[text(execute(t, "() => [Math.random(), Math.random()]"))] = true
		if len(seen) != i+1 {
			t.Fatalf("after %d isolates: %v", i+1, seen)
		}
	}
}

func TestTools(t *testing.T) {
	host := &testHost{tools: tools{
		"tools.add": func(args string) string { return fmt.Sprintf(`{"ok":{"args":%s}}`, args) },
		"tools.fail": func(string) string {
			return `{"error":{"name":"NotFound","message":"no such thing","fields":{"status":404}}}`
		},
		"tools.odd": func(string) string { return `{"ok":{"__proto__":1,"then":2,"d":{"$":"date","v":9}}}` },
	}}
	run := func(source string) string {
		return text(shared.Execute(context.Background(), request(t, source, withTools("add", "fail", "odd")), host))
	}
	cases := []struct{ source, want string }{
		{"() => tools.add(1, {b: 2n}, undefined)", `{"args":[1,{"b":{"$":"bigint","v":"2"}},{"$":"undefined"}]}`},
		{"async () => { try { await tools.fail() } catch (e) { return [e instanceof Error, e.name, e.message, e.status] } }", `[true,"NotFound","no such thing",404]`},
		{"async () => { const r = await tools.odd(); return [Object.keys(r), Object.getPrototypeOf(r) === Object.prototype, r.d instanceof Date] }", `[["__proto__","then","d"],true,true]`},
		{"async () => (await Promise.all([3, 1, 2].map((n) => tools.add(n)))).map((r) => r.args[0])", "[3,1,2]"},
		{"async () => { try { await tools.add(() => {}) } catch (e) { return e.name } }", `"TypeError"`},
		{"() => { 'use strict'; try { tools.add = 1 } catch (e) { return [e.name, Object.isFrozen(tools), Object.isFrozen(tools.add)] } }", `["TypeError",true,true]`},
		{"() => { try { tools = 1 } catch {} ; return typeof tools.add }", `"function"`},
	}
	for _, c := range cases {
		if got := run(c.source); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.source, got, c.want)
		}
	}
	if got := run("() => tools.add({ a: [Symbol('x')] })"); got != "unserializable: unserializable: symbol at $[0].a[0] of the arguments of tools.add cannot cross the isolate's boundary" {
		t.Error(got)
	}
}
