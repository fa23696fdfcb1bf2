// Package contracttest holds what every implementation of executor.Interface must
// do alike: the executor in this process, and the client of one elsewhere. Their
// tests run it; nothing links it.
package contracttest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the suite.

// Run runs the suite. open returns an executor with at least two places, grants
// of eval, the contract's own limits, and tenants of the request's choice; it is
// closed by the suite.
func Run(t *testing.T, open func(t *testing.T) executor.Interface) {
	e := open(t)
	s := suite{e}
	t.Run("values", s.values)
	t.Run("faults", s.faults)
	t.Run("request", s.request)
	t.Run("tool errors", s.toolErrors)
	t.Run("tool sizes", s.toolSizes)
	t.Run("tool time", s.toolTime)
	t.Run("tools overlap", s.toolsOverlap)
	t.Run("tools end", s.toolsEnd)
	t.Run("logs", s.logs)
	t.Run("cancel", s.cancel)
	t.Run("cause", s.cause)
	t.Run("shared cause", s.shared)
	t.Run("nested", s.nested)
	t.Run("many", s.many)
	t.Run("close", func(t *testing.T) { s.close(t, open(t)) })
	if err := e.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

type suite struct{ e executor.Interface }

// run executes a program and checks what holds for every result.
func (s suite) run(t *testing.T, ctx context.Context, r executor.Request) *protocol.Result {
	t.Helper()
	result, err := s.e.Execute(ctx, r)
	switch {
	case result == nil:
		t.Fatalf("%.80s: the result is nil", r.Source)
	case result.Fault == nil && err != nil, result.Fault != nil && err != error(result.Fault):
		t.Fatalf("%.80s: the error is %v, the fault %v", r.Source, err, result.Fault)
	}
	return result
}

// value executes a program and returns its value.
func (s suite) value(t *testing.T, r executor.Request) any {
	t.Helper()
	value, err := s.run(t, t.Context(), r).Decode()
	if err != nil {
		t.Errorf("%.80s: %v", r.Source, err)
	}
	return value
}

// fault executes a program and returns its fault, which must be an F.
func fault[F protocol.Fault](t *testing.T, s suite, ctx context.Context, r executor.Request) F {
	t.Helper()
	result := s.run(t, ctx, r)
	found, ok := result.Fault.(F)
	if !ok {
		t.Fatalf("%.80s: the value is %.80s, the fault %v, want a %T", r.Source, result.Value, result.Fault, found)
	}
	return found
}

// one returns tools with one function, host.f.
func one(f executor.Tool) executor.Tools { return executor.Tools{"host": {"f": f}} }

func (s suite) values(t *testing.T) {
	for _, test := range []struct{ in, want any }{
		{"text \u2028 \u0000", "text \u2028 \u0000"},
		{42, 42.0},
		{protocol.Value("null"), nil},
		{protocol.Undefined{}, protocol.Undefined{}},
		{map[string]any{"$": "number", "__proto__": 1.0}, map[string]any{"$": "number", "__proto__": 1.0}},
		{protocol.Bytes{Type: "Uint8Array", Data: []byte{0, 255}}, protocol.Bytes{Type: "Uint8Array", Data: []byte{0, 255}}},
		{strings.Repeat("x", 1<<20), strings.Repeat("x", 1<<20)},
	} {
		var seen []any
		got := s.value(t, executor.Request{Source: "async (input) => [await host.f(input), input]", Input: test.in,
			Tools: one(func(_ context.Context, args []any) (any, error) { seen = args; return args[0], nil })})
		if diff := cmp.Diff([]any{test.want, test.want}, got); diff != "" {
			t.Errorf("%.40v (-want +got):\n%.400s", test.in, diff)
		}
		if diff := cmp.Diff([]any{test.want}, seen); diff != "" {
			t.Errorf("%.40v: the tool saw (-want +got):\n%.400s", test.in, diff)
		}
	}
	if got := s.value(t, executor.Request{Source: "(...all) => [all.length, typeof all[0]]"}); got.([]any)[1] != "undefined" {
		t.Errorf("no input is %v", got)
	}
}

// faults checks that faults of every class arrive as what they are.
func (s suite) faults(t *testing.T) {
	thrown := fault[*protocol.Thrown](t, s, t.Context(), executor.Request{Source: "async () => {\n await host.f();\n throw new RangeError('boom', {cause: new Error('why')}) }",
		Tools: one(func(context.Context, []any) (any, error) { return nil, nil })})
	got := []any{thrown.Name, thrown.Message, thrown.Causes[0].Message, thrown.Started, thrown.Delivered, thrown.Retryable(), thrown.Class()}
	if diff := cmp.Diff([]any{"RangeError", "boom", "why", true, []string{"host.f"}, false, protocol.ClassProgram}, got); diff != "" {
		t.Error(diff)
	}
	syntax := fault[*protocol.Syntax](t, s, t.Context(), executor.Request{Source: "() => {\n let let }"})
	if syntax.Line != 2 || syntax.Started {
		t.Errorf("the syntax error is %+v", syntax)
	}
	for _, test := range []struct {
		r    executor.Request
		code protocol.Code
	}{
		{executor.Request{Source: "() => new Promise(() => {})"}, protocol.CodeStalled},
		{executor.Request{Source: "() => () => 1"}, protocol.CodeUnserializable},
		{executor.Request{Source: "import 'fs'"}, protocol.CodeModuleNotFound},
		{executor.Request{Source: "() => { const f = () => f() + 1; f() }"}, protocol.CodeStackExceeded},
		{executor.Request{Source: "() => { for (;;); }", Limits: protocol.Limits{Wall: 50 * time.Millisecond}}, protocol.CodeDeadlineExceeded},
		{executor.Request{Source: "() => { const a = []; for (;;) a.push(new Array(1e4).fill(a.length)) }", Limits: protocol.Limits{Heap: 16 << 20}}, protocol.CodeMemoryExceeded},
		{executor.Request{Source: "() => 'x'.repeat(2000)", Limits: protocol.Limits{Result: 1000}}, protocol.CodeResultTooLarge},
		{executor.Request{Source: "() => 1" + strings.Repeat(" ", 100), Limits: protocol.Limits{Source: 50}}, protocol.CodeSourceTooLarge},
		{executor.Request{Source: "() => 1", Input: strings.Repeat("x", 100), Limits: protocol.Limits{Input: 50}}, protocol.CodeArgumentsTooLarge},
	} {
		result := s.run(t, t.Context(), test.r)
		if result.Fault == nil || result.Fault.Code() != test.code {
			t.Errorf("%.80s: the fault is %v, want %s", test.r.Source, result.Fault, test.code)
		}
	}
}

// request checks the parts of a request, and that what breaks the contract is
// refused by name.
func (s suite) request(t *testing.T) {
	for _, test := range []struct {
		r    executor.Request
		want any
	}{
		{executor.Request{Source: "const n: number = 1; export default n", Language: protocol.TypeScript, Form: protocol.FormModule}, 1.0},
		{executor.Request{Source: "import {a} from 'lib'; export default a", Modules: map[string]protocol.Module{"lib": {Source: "export const a = 2"}}}, 2.0},
		{executor.Request{Source: "() => eval('1 + 2')", Grants: []protocol.Grant{protocol.GrantEval}}, 3.0},
		{executor.Request{Source: "() => new Date(0).getHours()", TimeZone: "Asia/Tokyo"}, 9.0},
		{executor.Request{Source: "() => 1", Tenant: "customer-7"}, 1.0},
	} {
		if diff := cmp.Diff(test.want, s.value(t, test.r)); diff != "" {
			t.Errorf("%s: %s", test.r.Source, diff)
		}
	}
	nothing := func(context.Context, []any) (any, error) { return nil, nil }
	for _, test := range []struct {
		r     executor.Request
		field string
	}{
		{executor.Request{Language: "python"}, "language"},
		{executor.Request{Grants: []protocol.Grant{"fly"}}, "grants[0]"},
		{executor.Request{Grants: []protocol.Grant{protocol.GrantWasm}}, "grants[0]"},
		{executor.Request{Limits: protocol.Limits{Heap: 1}}, "limits.heap"},
		{executor.Request{Source: "\xff"}, "source"},
		{executor.Request{Input: func() {}}, "input"},
		{executor.Request{Tools: executor.Tools{"a b": {"f": nothing}}}, "tools[0].name"},
		{executor.Request{Tools: one(nil)}, `tools["host"]["f"]`},
		{executor.Request{Source: "() => 1", Parent: "no-such"}, "parent"},
	} {
		invalid := fault[*protocol.InvalidRequest](t, s, t.Context(), test.r)
		if invalid.Field != test.field || invalid.Started {
			t.Errorf("the fault is %v, want it to name %s", invalid, test.field)
		}
	}
}

// toolErrors checks what a program sees of tools that fail.
func (s suite) toolErrors(t *testing.T) {
	const source = "async () => { try { await host.f() } catch (e) { return [e.name, e.message, e.code ?? null, e.cause ?? null] } }"
	for _, test := range []struct {
		name string
		f    executor.Tool
		want []any
	}{
		{"plain", func(context.Context, []any) (any, error) { return nil, errors.New("no\nfile") }, []any{"Error", "no\nfile", nil, nil}},
		{"wrapped", func(context.Context, []any) (any, error) {
			return nil, fmt.Errorf("outer: %w", &protocol.ToolError{Name: "NotFound", Message: "gone", Fields: protocol.Value(`{"code":404}`), Cause: protocol.Value(`"c"`)})
		}, []any{"NotFound", "gone", 404.0, "c"}},
		{"panic", func(context.Context, []any) (any, error) { panic("secret") }, []any{"Error", "the tool panicked", nil, nil}},
		{"empty", func(context.Context, []any) (any, error) { return nil, errors.New("") }, []any{"Error", "", nil, nil}},
	} {
		if diff := cmp.Diff(any(test.want), s.value(t, executor.Request{Source: source, Tools: one(test.f)})); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	result := s.run(t, t.Context(), executor.Request{Source: "() => host.f()", Tools: one(func(context.Context, []any) (any, error) { return make(chan int), nil })})
	if found, ok := result.Fault.(*protocol.Thrown); !ok || !strings.Contains(found.Message, "cannot be sent") || result.Calls[0].Outcome != protocol.OutcomeError {
		t.Errorf("a value that cannot be sent: %v, %v", result.Fault, result.Calls)
	}
}

// toolSizes checks the bounds on calls and replies.
func (s suite) toolSizes(t *testing.T) {
	large := func(context.Context, []any) (any, error) { return strings.Repeat("x", 2000), nil }
	for _, test := range []struct {
		source string
		limits protocol.Limits
		code   protocol.Code
	}{
		{"() => host.f()", protocol.Limits{Reply: 1000}, protocol.CodeReplyTooLarge},
		{"() => host.f('x'.repeat(2000))", protocol.Limits{Argument: 1000}, protocol.CodeArgumentsTooLarge},
		{"async () => { for (;;) await host.f() }", protocol.Limits{ToolCalls: 3}, protocol.CodeToolCallsExceeded},
		{"() => Promise.all([host.f(), host.f(), host.f()])", protocol.Limits{CallsInFlight: 2}, protocol.CodeConcurrentCallsExceeded},
		{"async () => { for (;;) await host.f() }", protocol.Limits{ToolBytes: 5000}, protocol.CodeReplyTooLarge},
	} {
		result := s.run(t, t.Context(), executor.Request{Source: test.source, Tools: one(large), Limits: test.limits})
		if result.Fault == nil || result.Fault.Code() != test.code {
			t.Errorf("%s: the fault is %v, want %s", test.source, result.Fault, test.code)
		}
	}
	// 100 MiB are more than any frame.
	huge := func(context.Context, []any) (any, error) {
		return protocol.Bytes{Type: "Uint8Array", Data: make([]byte, 100<<20)}, nil
	}
	found := fault[*protocol.ReplyTooLarge](t, s, t.Context(), executor.Request{Source: "() => host.f()", Tools: one(huge)})
	if diff := cmp.Diff([]any{"host.f", []string{"host.f"}, true}, []any{found.Of, found.Delivered, found.Started}); diff != "" {
		t.Error(diff)
	}
}

// toolTime checks a tool that hangs: the program is told, and so is the tool.
func (s suite) toolTime(t *testing.T) {
	cause := make(chan error, 1)
	got := s.value(t, executor.Request{
		Source: "async () => { try { await host.f() } catch (e) { return e.name } }", Limits: protocol.Limits{ToolTime: 100 * time.Millisecond},
		Tools: one(func(ctx context.Context, _ []any) (any, error) {
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return "late", nil
		}),
	})
	if got != protocol.ToolTimeout {
		t.Errorf("the program saw %v", got)
	}
	var timeout *protocol.ToolError
	if err := <-cause; !errors.As(err, &timeout) || timeout.Name != protocol.ToolTimeout {
		t.Errorf("the tool's context ended with %v", err)
	}
}

// toolsOverlap has five calls wait for each other.
func (s suite) toolsOverlap(t *testing.T) {
	const many = 5
	var arrived sync.WaitGroup
	arrived.Add(many)
	got := s.value(t, executor.Request{
		Source: "async () => (await Promise.all([1, 2, 3, 4, 5].map(n => host.f(n)))).join()",
		Tools: one(func(_ context.Context, args []any) (any, error) {
			arrived.Done()
			arrived.Wait()
			return args[0], nil
		}),
	})
	if got != "1,2,3,4,5" {
		t.Errorf("the value is %v", got)
	}
}

// toolsEnd checks that a call nobody waits for is cancelled with its program.
func (s suite) toolsEnd(t *testing.T) {
	ended := make(chan struct{})
	began := make(chan struct{})
	result := s.run(t, t.Context(), executor.Request{
		Source: "async () => { host.f(); await host.g(); return 1 }",
		Tools: executor.Tools{"host": {
			"f": func(ctx context.Context, _ []any) (any, error) {
				close(began)
				<-ctx.Done()
				close(ended)
				return nil, nil
			},
			"g": func(context.Context, []any) (any, error) { <-began; return nil, nil },
		}},
	})
	<-ended
	outcomes := map[string]protocol.Outcome{}
	for _, call := range result.Calls {
		outcomes[call.Name] = call.Outcome
	}
	want := map[string]protocol.Outcome{"host.f": protocol.OutcomeAbandoned, "host.g": protocol.OutcomeOK}
	if diff := cmp.Diff(want, outcomes); diff != "" || result.Fault != nil {
		t.Errorf("%v, %s", result.Fault, diff)
	}
}

func (s suite) logs(t *testing.T) {
	var seen []string
	result := s.run(t, t.Context(), executor.Request{
		Source: "async () => { console.log('one', 1); await host.f(); console.error('two') }",
		Tools:  one(func(context.Context, []any) (any, error) { return nil, nil }),
		OnLog:  func(entry protocol.LogEntry) { seen = append(seen, string(entry.Level)+" "+entry.Text) },
	})
	want := []string{"log one 1", "error two"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("OnLog: %s", diff)
	}
	for _, logs := range [][]protocol.LogEntry{result.Logs, s.run(t, t.Context(), executor.Request{Source: "() => { console.log('one 1'); console.error('two') }"}).Logs} {
		var kept []string
		for _, entry := range logs {
			kept = append(kept, string(entry.Level)+" "+entry.Text)
		}
		if diff := cmp.Diff(want, kept); diff != "" {
			t.Errorf("the result's logs: %s", diff)
		}
	}
	bounded := s.run(t, t.Context(), executor.Request{Source: "() => { for (let i = 0; i < 50; i++) console.log(i) }",
		Limits: protocol.Limits{LogEntries: 10}, OnLog: func(protocol.LogEntry) {}})
	if len(bounded.Logs) != 10 || bounded.Usage.DroppedLogs != 40 {
		t.Errorf("%d entries, %d dropped: %v", len(bounded.Logs), bounded.Usage.DroppedLogs, bounded.Fault)
	}
}

// cancel gives up an execution whose tool has been called.
func (s suite) cancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	toolEnded := make(chan struct{})
	found := fault[*protocol.Cancelled](t, s, ctx, executor.Request{Source: "() => host.f()",
		Tools: one(func(ctx context.Context, _ []any) (any, error) {
			cancel()
			<-ctx.Done()
			close(toolEnded)
			return nil, nil
		})})
	<-toolEnded
	if diff := cmp.Diff([]any{[]string{"host.f"}, true, false}, []any{found.Delivered, found.Started, found.Retryable()}); diff != "" {
		t.Error(diff)
	}
	if early := fault[*protocol.Cancelled](t, s, ctx, executor.Request{Source: "() => 1"}); early.Started {
		t.Error("a program was started for a caller who had given up")
	}
}

// cause ends an execution with a fault of the caller's choice.
func (s suite) cause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	found := fault[*protocol.QuotaExceeded](t, s, ctx, executor.Request{Source: "() => host.f()",
		Tools: one(func(ctx context.Context, _ []any) (any, error) {
			cancel(&protocol.QuotaExceeded{Quota: "calls", Limit: 1})
			<-ctx.Done()
			return nil, nil
		})})
	if diff := cmp.Diff([]any{"calls", []string{"host.f"}, true}, []any{found.Quota, found.Delivered, found.Started}); diff != "" {
		t.Error(diff)
	}
}

// shared ends two executions with one fault: each has its own progress.
func (s suite) shared(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := &protocol.QuotaExceeded{Quota: "calls", Limit: 1}
	var called, ended sync.WaitGroup
	called.Add(2)
	for _, name := range []string{"f", "g"} {
		ended.Go(func() {
			_, err := s.e.Execute(ctx, executor.Request{Source: "() => host." + name + "()",
				Tools: executor.Tools{"host": {name: func(ctx context.Context, _ []any) (any, error) {
					called.Done()
					<-ctx.Done()
					return nil, nil
				}}}})
			var found *protocol.QuotaExceeded
			if !errors.As(err, &found) || len(found.Delivered) != 1 || found.Delivered[0] != "host."+name {
				t.Errorf("%s ended with %v, %+v", name, err, found)
			}
		})
	}
	called.Wait()
	cancel(reason)
	ended.Wait()
	if reason.Started || len(reason.Delivered) > 0 {
		t.Errorf("the caller's fault was changed: %+v", reason)
	}
}

// nested executes from within tools, with as many outer executions as there may
// be places, so that the inner ones find room only because they are nested.
func (s suite) nested(t *testing.T) {
	tools := one(func(ctx context.Context, args []any) (any, error) {
		if executor.ExecutionID(ctx) == "" {
			return nil, errors.New("the context does not know its execution")
		}
		result, err := s.e.Execute(ctx, executor.Request{Source: "(n) => n * 2", Input: args[0]})
		if err != nil {
			return nil, err
		}
		return result.Decode()
	})
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			if got := s.value(t, executor.Request{Source: "async (n) => 1 + await host.f(n)", Input: i, Tools: tools}); got != float64(2*i+1) {
				t.Errorf("the value is %v", got)
			}
		})
	}
	all.Wait()
	// The inner one ends with the tool that made it.
	inner := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	fault[*protocol.Cancelled](t, s, ctx, executor.Request{Source: "() => host.f()", Tools: one(func(ctx context.Context, _ []any) (any, error) {
		_, err := s.e.Execute(ctx, executor.Request{Source: "() => host.f()", Tools: one(func(ctx context.Context, _ []any) (any, error) {
			cancel()
			<-ctx.Done()
			return nil, nil
		})})
		inner <- err
		return nil, nil
	})})
	var ended *protocol.Cancelled
	if err := <-inner; !errors.As(err, &ended) {
		t.Errorf("the inner execution ended with %v", err)
	}
}

// many runs executions of several callers at once and checks that none gets
// another's answers.
func (s suite) many(t *testing.T) {
	var calls atomic.Int64
	var all sync.WaitGroup
	for caller := range 8 {
		all.Go(func() {
			for i := range 5 {
				mark := fmt.Sprint(caller, "-", i)
				got := s.value(t, executor.Request{Source: "async (mark) => mark + '=' + await host.f(mark)", Input: mark,
					Tools: one(func(_ context.Context, args []any) (any, error) {
						calls.Add(1)
						if args[0] != mark {
							return nil, fmt.Errorf("the call of %v reached %s", args[0], mark)
						}
						return mark, nil
					})})
				if got != mark+"="+mark {
					t.Errorf("%s: %v", mark, got)
				}
			}
		})
	}
	all.Wait()
	if calls.Load() != 40 {
		t.Errorf("%d calls, want 40", calls.Load())
	}
}

// close closes an executor while a program runs.
func (s suite) close(t *testing.T, e executor.Interface) {
	called := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		_, err := e.Execute(context.Background(), executor.Request{Source: "() => host.f()", Tools: one(func(ctx context.Context, _ []any) (any, error) {
			close(called)
			<-ctx.Done()
			return nil, nil
		})})
		ended <- err
	}()
	<-called
	for range 2 {
		if err := e.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	var unavailable *protocol.Unavailable
	if err := <-ended; !errors.As(err, &unavailable) || !unavailable.Started || len(unavailable.Delivered) != 1 {
		t.Errorf("what ran ended with %v", err)
	}
	if _, err := e.Execute(context.Background(), executor.Request{Source: "() => 1"}); !errors.As(err, &unavailable) {
		t.Errorf("a closed executor returns %v", err)
	}
}
