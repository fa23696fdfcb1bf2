package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
	"github.com/isogate/isogate/sandbox"
)

// This file owns the tests of the executor, through its public surface and with
// real child processes.

// shared is the executor of the tests that need nothing special of it.
var shared *executor.IsolateExecutor

// running runs the tests with the shared executor.
type running struct{ m *testing.M }

func (r running) Run() int {
	var err error
	shared, err = executor.New(context.Background(), executor.Config{Pool: pool.Config{Size: 2}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer shared.Close()
	return r.m.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(running{m}) }

// wantFault returns err as F and fails the test when it is none.
func wantFault[F protocol.Fault](t *testing.T, err error) F {
	t.Helper()
	var fault F
	if !errors.As(err, &fault) {
		t.Fatalf("the error is %v, want a %T", err, fault)
	}
	return fault
}

// TestRoundTrip sends values through a program and its tool, and back.
func TestRoundTrip(t *testing.T) {
	for _, test := range []struct{ in, want any }{
		{"text", "text"},
		{42, 42.0},
		{[]string{"a", "b"}, []any{"a", "b"}},
		{map[string]int{"n": 1}, map[string]any{"n": 1.0}},
		{struct {
			Name string `json:"name"`
		}{"x"}, map[string]any{"name": "x"}},
		{protocol.Value("null"), nil},
		{json.RawMessage(`{"a":[1]}`), map[string]any{"a": []any{1.0}}},
		{protocol.Undefined{}, protocol.Undefined{}},
		{protocol.Bytes{Type: "Uint8Array", Data: []byte{1, 2}}, protocol.Bytes{Type: "Uint8Array", Data: []byte{1, 2}}},
		{map[string]any{"$": "number", "__proto__": 1.0}, map[string]any{"$": "number", "__proto__": 1.0}},
	} {
		var seen []any
		result, err := shared.Execute(t.Context(), executor.Request{
			Source: "async (input) => [await host.echo(input), input]",
			Input:  test.in,
			Tools: executor.Tools{"host": {"echo": func(_ context.Context, args []any) (any, error) {
				seen = args
				return args[0], nil
			}}},
		})
		if err != nil {
			t.Errorf("%v: %v", test.in, err)
			continue
		}
		got, err := result.Decode()
		if err != nil {
			t.Errorf("%v: %v", test.in, err)
			continue
		}
		if d := cmp.Diff([]any{test.want}, seen); d != "" {
			t.Errorf("%v: the tool saw something else (-want +got):\n%s", test.in, d)
		}
		if d := cmp.Diff([]any{test.want, test.want}, got); d != "" {
			t.Errorf("%v: the value is something else (-want +got):\n%s", test.in, d)
		}
	}
}

// TestNoInput checks that a nil input is undefined.
func TestNoInput(t *testing.T) {
	result, err := shared.Execute(t.Context(), executor.Request{Source: "(...all) => [all.length, typeof all[0]]"})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(result.Value); !strings.HasSuffix(got, `"undefined"]`) {
		t.Errorf("the value is %s", got)
	}
}

// TestInvalid checks requests that are refused before anything runs.
func TestInvalid(t *testing.T) {
	nothing := func(context.Context, []any) (any, error) { return nil, nil }
	before := shared.Stats().Executions
	for _, test := range []struct {
		name, field, reason string
		r                   executor.Request
	}{
		{"language", "language", "python", executor.Request{Language: "python"}},
		{"form", "form", "worker", executor.Request{Form: "worker"}},
		{"time zone", "timeZone", "Mars/Olympus", executor.Request{TimeZone: "Mars/Olympus"}},
		{"limit", "limits.heap", "outside", executor.Request{Limits: protocol.Limits{Heap: 1 << 40}}},
		{"negative limit", "limits.wallMs", "outside", executor.Request{Limits: protocol.Limits{Wall: -1}}},
		{"grant", "grants[0]", "net", executor.Request{Grants: []protocol.Grant{"net"}}},
		{"grant of another profile", "grants[1]", `needs an executor with the profile "jit"`, executor.Request{Grants: []protocol.Grant{protocol.GrantEval, protocol.GrantWasm}}},
		{"name of a tool", "tools[0].tools[0]", "identifier", executor.Request{Tools: executor.Tools{"t": {"a-b": nothing}}}},
		{"name of a namespace", "tools[0].name", "Object", executor.Request{Tools: executor.Tools{"Object": {"f": nothing}}}},
		{"no function", `tools["t"]["f"]`, "nil", executor.Request{Tools: executor.Tools{"t": {"f": nil}}}},
		{"input", "input", "func", executor.Request{Input: map[string]any{"f": func() {}}}},
		{"input that is no JSON", "input", "", executor.Request{Input: json.RawMessage("{")}},
		{"source", "source", "UTF-8", executor.Request{Source: "\xff"}},
	} {
		result, err := shared.Execute(t.Context(), test.r)
		fault := wantFault[*protocol.InvalidRequest](t, err)
		if fault.Field != test.field || !strings.Contains(fault.Reason, test.reason) {
			t.Errorf("%s: %v; want the field %s and the reason %q", test.name, fault, test.field, test.reason)
		}
		if result == nil || result.Fault == nil || fault.Started || fault.Retryable() {
			t.Errorf("%s: the result is %+v", test.name, result)
		}
	}
	_, err := shared.Execute(t.Context(), executor.Request{Source: strings.Repeat(" ", 100), Limits: protocol.Limits{Source: 99}})
	if f := wantFault[*protocol.SourceTooLarge](t, err); f.Limit != 99 || f.Actual != 100 {
		t.Error(f)
	}
	_, err = shared.Execute(t.Context(), executor.Request{Input: strings.Repeat(" ", 100), Limits: protocol.Limits{Input: 99}})
	if f := wantFault[*protocol.ArgumentsTooLarge](t, err); f.Limit != 99 || f.Of != "input" {
		t.Error(f)
	}
	if n := shared.Stats().Executions; n != before {
		t.Errorf("%d executions were submitted", n-before)
	}
}

// TestToolFailures checks what a program sees of a tool that fails.
func TestToolFailures(t *testing.T) {
	for _, test := range []struct {
		name string
		tool executor.Tool
		want string
	}{
		{
			"an error", func(context.Context, []any) (any, error) { return nil, errors.New("no such city") },
			`{"name":"Error","message":"no such city"}`,
		},
		{
			"an error with a name and fields", func(context.Context, []any) (any, error) {
				return nil, fmt.Errorf("wrapped: %w", &protocol.ToolError{Name: "NotFound", Message: "gone", Fields: protocol.Value(`{"status":404}`)})
			},
			`{"name":"NotFound","message":"gone","status":404}`,
		},
		{
			"an error value", func(context.Context, []any) (any, error) {
				return nil, &protocol.Error{Name: "TypeError", Message: "bad", Fields: map[string]any{"at": 3}}
			},
			`{"name":"TypeError","message":"bad","at":3}`,
		},
		{
			"a panic", func(context.Context, []any) (any, error) { panic("the password is 1234") },
			`{"name":"Error","message":"the tool panicked"}`,
		},
		{
			"an index out of range", func(_ context.Context, args []any) (any, error) { return args[7], nil },
			`{"name":"Error","message":"the tool panicked"}`,
		},
		{
			"a value that cannot be encoded", func(context.Context, []any) (any, error) {
				return map[string]any{"a": []any{1, make(chan int)}}, nil
			},
			`$.a[1]`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			result, err := shared.Execute(t.Context(), executor.Request{
				Source: "async () => { try { await host.f() } catch (e) { return {name: e.name, message: e.message, ...e} } }",
				Tools:  executor.Tools{"host": {"f": test.tool}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(result.Value); !strings.Contains(got, test.want) || strings.Contains(got, "1234") {
				t.Errorf("the program saw %s, want %s", got, test.want)
			}
			if len(result.Calls) != 1 || result.Calls[0].Outcome != protocol.OutcomeError {
				t.Errorf("the calls are %v", result.Calls)
			}
		})
	}
}

// TestReplyTooLarge checks that a reply beyond the limit ends the execution.
func TestReplyTooLarge(t *testing.T) {
	for _, length := range []int{95, 1000} { // with and without the envelope around it
		result, err := shared.Execute(t.Context(), executor.Request{
			Source: "async () => { try { await host.f() } catch { return 'caught' } }",
			Limits: protocol.Limits{Reply: 100},
			Tools: executor.Tools{"host": {"f": func(context.Context, []any) (any, error) {
				return strings.Repeat("x", length), nil
			}}},
		})
		fault := wantFault[*protocol.ReplyTooLarge](t, err)
		if fault.Limit != 100 || fault.Actual <= 100 || fault.Of != "host.f" || len(fault.Delivered) != 1 || len(result.Calls) != 1 {
			t.Errorf("%d bytes: %v after %v", length, fault, result.Calls)
		}
	}
}

// TestBoundsOfTools checks the bounds that the sandbox holds, end to end.
func TestBoundsOfTools(t *testing.T) {
	tools := executor.Tools{"host": {"f": func(ctx context.Context, args []any) (any, error) { return len(args), nil }}}
	run := func(source string, l protocol.Limits) error {
		_, err := shared.Execute(t.Context(), executor.Request{Source: source, Tools: tools, Limits: l})
		return err
	}
	if f := wantFault[*protocol.ToolCallsExceeded](t, run("async () => { for (;;) await host.f() }", protocol.Limits{ToolCalls: 5})); len(f.Delivered) != 5 {
		t.Errorf("%v after %d calls", f, len(f.Delivered))
	}
	wantFault[*protocol.ConcurrentCallsExceeded](t, run("async () => { for (let i = 0; i < 9; i++) host.f() }", protocol.Limits{CallsInFlight: 3}))
	wantFault[*protocol.ArgumentsTooLarge](t, run("async () => await host.f('x'.repeat(100))", protocol.Limits{Argument: 50}))
	wantFault[*protocol.ResultTooLarge](t, run("async () => 'x'.repeat(100)", protocol.Limits{Result: 50}))
}

// TestNested has a tool execute a program of its own.
func TestNested(t *testing.T) {
	result, err := shared.Execute(t.Context(), executor.Request{
		Source: "async (n) => await host.square(n) + 1",
		Input:  3,
		Tools: executor.Tools{"host": {"square": func(ctx context.Context, args []any) (any, error) {
			inner, err := shared.Execute(ctx, executor.Request{Source: "(n) => n * n", Input: args[0]})
			if err != nil {
				return nil, err
			}
			return inner.Value, nil
		}}},
	})
	if err != nil || string(result.Value) != "10" {
		t.Errorf("the value is %s, the error %v", result.Value, err)
	}
}

// TestConfig checks the executor's own limits.
func TestConfig(t *testing.T) {
	e, err := executor.New(t.Context(), executor.Config{
		Pool:     pool.Config{Size: 1, Profile: sandbox.ProfileJIT},
		Defaults: protocol.Limits{Wall: 100 * time.Millisecond},
		Max:      protocol.Limits{Heap: 16 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, err = e.Execute(t.Context(), executor.Request{Source: "() => { for (;;); }"})
	if f := wantFault[*protocol.DeadlineExceeded](t, err); f.LimitMS != 100 {
		t.Error(f)
	}
	_, err = e.Execute(t.Context(), executor.Request{Source: "() => 1", Limits: protocol.Limits{Heap: 32 << 20}})
	wantFault[*protocol.InvalidRequest](t, err)
	_, err = e.Execute(t.Context(), executor.Request{
		Source: "() => { const a = []; for (;;) a.push({}) }", Limits: protocol.Limits{Wall: 20 * time.Second},
	})
	if f := wantFault[*protocol.MemoryExceeded](t, err); f.Limit != 16<<20 {
		t.Error(f)
	}
	result, err := e.Execute(t.Context(), executor.Request{Source: "() => typeof WebAssembly", Grants: []protocol.Grant{protocol.GrantWasm}})
	if err != nil || string(result.Value) != `"object"` {
		t.Errorf("with the grant, typeof WebAssembly is %s, the error %v", result.Value, err)
	}

	for _, c := range []executor.Config{
		{Max: protocol.Limits{Wall: time.Hour}},
		{Defaults: protocol.Limits{Heap: 32 << 20}, Max: protocol.Limits{Heap: 16 << 20}},
		{Pool: pool.Config{Size: -1}},
	} {
		if e, err := executor.New(t.Context(), c); err == nil {
			e.Close()
			t.Errorf("%+v was accepted", c)
		}
	}
}

// TestConcurrent has many callers at once, with their own tools and logs.
func TestConcurrent(t *testing.T) {
	var callers sync.WaitGroup
	for i := range 20 {
		callers.Go(func() {
			var logged []string
			result, err := shared.Execute(t.Context(), executor.Request{
				Source: "async (i) => { console.log('log', i); return await host.own(i) }",
				Input:  i,
				Tools:  executor.Tools{"host": {"own": func(_ context.Context, args []any) (any, error) { return []any{args[0], i}, nil }}},
				OnLog:  func(e protocol.LogEntry) { logged = append(logged, e.Text) },
			})
			if err != nil {
				t.Error(err)
				return
			}
			if want := fmt.Sprintf("[%d,%d]", i, i); string(result.Value) != want {
				t.Errorf("the value is %s, want %s", result.Value, want)
			}
			if want := fmt.Sprint("log ", i); len(logged) != 1 || logged[0] != want {
				t.Errorf("the logs are %q, want %q", logged, want)
			}
		})
	}
	callers.Wait()
}

// TestEnd drains and closes an executor.
func TestEnd(t *testing.T) {
	e, err := executor.New(t.Context(), executor.Config{Pool: pool.Config{Size: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Drain(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = e.Execute(t.Context(), executor.Request{Source: "() => 1"})
	wantFault[*protocol.Draining](t, err)
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	_, err = e.Execute(t.Context(), executor.Request{Source: "() => 1"})
	wantFault[*protocol.Unavailable](t, err)
}
