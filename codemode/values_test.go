package codemode_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isogate/isogate/codemode"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of values: arguments, replies and results.

func bytesOf(kind string, data ...byte) protocol.Bytes { return protocol.Bytes{Type: kind, Data: data} }

type record struct {
	Name  string `json:"name"`
	Bytes []byte `json:"bytes"`
}

// TestReplies compares what a program is given with what a function returned.
func TestReplies(t *testing.T) {
	shared := object{"x": 1.0}
	for _, c := range []struct {
		reply any
		want  any // nil: the same
	}{
		{"text", nil}, {1.5, nil}, {true, nil}, {[]any{1.0, "a", nil}, nil}, {object{"$": "date", "z": 1.0}, nil},
		{protocol.Undefined{}, nil},
		{protocol.Value(`{"b":1,"a":2}`), object{"b": 1.0, "a": 2.0}},
		{record{"n", []byte{1, 2}}, object{"name": "n", "bytes": "AQI="}}, // as encoding/json has it
		{[]byte{255}, bytesOf("Uint8Array", 255)},
		{bytesOf("ArrayBuffer", 1), nil},
		{bytesOf("Uint16Array", 1, 0), bytesOf("Uint8Array", 1, 0)},
		{object{"a": protocol.Undefined{}, "b": []any{protocol.Undefined{}, protocol.Hole{}}}, object{"b": []any{nil, nil}}},
		{[]any{math.NaN(), math.Inf(1), math.Copysign(0, -1)}, []any{nil, nil, 0.0}},
		{[]any{protocol.Date{MS: 0}, protocol.Date{MS: math.NaN()}}, []any{"1970-01-01T00:00:00.000Z", nil}},
		{[]any{protocol.Map{}, protocol.Set{}, protocol.RegExp{Source: "a"}, &protocol.Error{Name: "Error", Message: "m"}}, []any{object{}, object{}, object{}, object{}}},
		{[]any{protocol.URL{Href: "https://example.com/"}}, []any{"https://example.com/"}},
		{[]any{shared, shared, math.NaN()}, []any{shared, shared, nil}},
		{object{"error": "x"}, nil},
		{object{"__proto__": 1.0}, nil},
	} {
		t.Run(fmt.Sprintf("%v", c.reply), func(t *testing.T) {
			want := c.want
			if want == nil {
				want = c.reply
			}
			r := run(t, "async () => await codemode.f()", tools(functions{"f": returns(c.reply, nil)})...)
			wantValue(t, r, want)
		})
	}
	wantValue(t, run(t, "async () => [await codemode.f()]", tools(functions{"f": returns(nil, nil)})...), []any{nil})
	wantValue(t, run(t, "async () => { const b = (await codemode.f()).b; return [b instanceof Uint8Array, b.constructor.name, b.length] }",
		tools(functions{"f": returns(object{"b": []byte{1, 2}}, nil)})...), []any{true, "Uint8Array", 2.0})
	wantError(t, run(t, "codemode.f()", tools(functions{"f": returns(big.NewInt(1), nil)})...), "Do not know how to serialize a BigInt")
	wantError(t, run(t, "codemode.f()", tools(functions{"f": returns(func() {}, nil)})...), "unserializable: func at $ of the value cannot cross the isolate's boundary")
	forged := object{"__codemode_binary_v1__": "Uint8Array", "data": "!"}
	wantError(t, run(t, "codemode.f()", tools(functions{"f": returns(forged, nil)})...), "atob: the text is not correctly encoded base64")
	forged["data"] = "AQI="
	wantValue(t, run(t, "codemode.f()", tools(functions{"f": returns(forged, nil)})...), bytesOf("Uint8Array", 1, 2))
}

// TestCycles compares the text of a circle with V8's.
func TestCycles(t *testing.T) {
	around := func(keys ...any) any {
		start := object{"": nil}
		var within any = start
		for i, key := range keys {
			var next any = object{}
			if i == len(keys)-1 {
				next = start
			} else if _, is := keys[i+1].(int); is {
				next = make([]any, keys[i+1].(int)+1)
			}
			switch key := key.(type) {
			case string:
				within.(object)[key] = next
			case int:
				within.([]any)[key] = next
			}
			within = next
		}
		return object{"out": start}
	}
	const begin = "Converting circular structure to JSON\n    --> starting at object with constructor 'Object'\n"
	for _, c := range []struct {
		keys []any
		want string
	}{
		{[]any{"self"}, "    --- property 'self' closes the circle"},
		{[]any{""}, "    --- <anonymous> closes the circle"},
		{[]any{"b", 0, "c"}, "    |     property 'b' -> object with constructor 'Array'\n    |     index 0 -> object with constructor 'Object'\n    --- property 'c' closes the circle"},
		{[]any{"a", "b", 2}, "    |     property 'a' -> object with constructor 'Object'\n    |     property 'b' -> object with constructor 'Array'\n    --- index 2 closes the circle"},
		{[]any{"a", "b", "c", "d"}, "    |     property 'a' -> object with constructor 'Object'\n    |     property 'b' -> object with constructor 'Object'\n    |     property 'c' -> object with constructor 'Object'\n    --- property 'd' closes the circle"},
		{[]any{"a b", "c", "d", "e", "f"}, "    |     property 'a b' -> object with constructor 'Object'\n    |     property 'c' -> object with constructor 'Object'\n    |     ...\n    |     property 'e' -> object with constructor 'Object'\n    --- property 'f' closes the circle"},
	} {
		reply := around(c.keys...)
		wantError(t, run(t, "codemode.f()", tools(functions{"f": returns(reply, nil)})...), begin+c.want)
		// The engine says the same of the same.
		code := "const o = {'': null}; let at = o; const keys = KEYS; keys.forEach((k, i) => { at = at[k] = i === keys.length - 1 ? o : typeof keys[i + 1] === 'number' ? [] : {} }); codemode.echo({out: o})"
		keys, err := json.Marshal(c.keys)
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, run(t, strings.Replace(code, "KEYS", string(keys), 1)), begin+c.want)
	}
}

// TestTooLarge checks the texts of values that are longer than the executor takes.
func TestTooLarge(t *testing.T) {
	execute := func(code string, reply int, limits protocol.Limits) *codemode.Result {
		return codemode.New(native, codemode.Config{}).Execute(t.Context(), codemode.Request{
			Code: code, Limits: limits, Providers: tools(functions{"f": returns(strings.Repeat("x", reply), nil), "echo": echo}),
		})
	}
	r := execute("try { await codemode.f() } catch (e) { return e.message }", 32<<20, protocol.Limits{})
	wantValue(t, r, fmt.Sprintf("Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: %d bytes.", 32<<20+2))
	small := protocol.Limits{Reply: 1000, Argument: 1000, Result: 1000}
	r = execute("codemode.f()", 2000, small)
	wantError(t, r, "reply too large (codemode.f): the limit is 1000 bytes, the actual is at least 2004")
	if f, is := r.Fault.(*protocol.ReplyTooLarge); !is || f.Of != "codemode.f" {
		t.Errorf("the fault is %#v", r.Fault)
	}
	r = execute("codemode.echo('x'.repeat(2000))", 0, small)
	wantError(t, r, "arguments too large (codemode.echo): the limit is 1000 bytes, the actual is at least 2013")
	wantError(t, execute("'x'.repeat(2000)", 0, small), "result too large: the limit is 1000 bytes, the actual is at least 2002")
}

// TestResults compares the result with the program's value.
func TestResults(t *testing.T) {
	for _, c := range []struct {
		code string
		want any
	}{
		{"undefined", protocol.Undefined{}}, {"null", nil}, {"{ const a = 1 }", protocol.Undefined{}},
		{"10n", big.NewInt(10)}, {"[NaN, Infinity, -Infinity]", []any{math.NaN(), math.Inf(1), math.Inf(-1)}},
		{"new Date(5)", protocol.Date{MS: 5}}, {"/a/g", protocol.RegExp{Source: "a", Flags: "g"}},
		{"new Map([[1, 2]])", &protocol.Map{Entries: []protocol.Entry{{Key: 1.0, Value: 2.0}}}},
		{"new Set([1])", &protocol.Set{Values: []any{1.0}}},
		{"new Uint16Array([1])", bytesOf("Uint16Array", 1, 0)},
		{"new ArrayBuffer(1)", bytesOf("ArrayBuffer", 0)},
		{"[1, , 2]", []any{1.0, protocol.Hole{}, 2.0}},
		{"({a: undefined})", object{"a": protocol.Undefined{}}},
	} {
		t.Run(c.code, func(t *testing.T) {
			r := run(t, c.code)
			if diff := cmp.Diff(c.want, r.Value, cmpopts.EquateNaNs(), cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })); diff != "" || r.Error != "" {
				t.Errorf("the error is %q, the value (-want +got):\n%s", r.Error, diff)
			}
		})
	}
	if r := run(t, "const a = {}; a.a = a; a"); r.Error != "" || r.Value.(object)["a"].(object)["a"] == nil {
		t.Errorf("a cycle: %q, %v", r.Error, r.Value)
	}
	if r := run(t, "new TypeError('t')"); r.Error != "" || r.Value.(*protocol.Error).Name != "TypeError" || r.Value.(*protocol.Error).Message != "t" {
		t.Errorf("an error: %q, %v", r.Error, r.Value)
	}
	if r := run(t, "Symbol('x')"); r.Value != nil || r.Fault == nil || r.Fault.Code() != protocol.CodeUnserializable {
		t.Errorf("the fault of what cannot cross is %v", r.Fault)
	}
}

// TestErrorsOfTools checks what a program sees of a function's error.
func TestErrorsOfTools(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("plain"), "plain"},
		{errors.New(""), "Error"},
		{&protocol.Error{Name: "TypeError", Message: "typed", Fields: object{"code": "E"}}, "typed"},
		{&protocol.Error{Name: "TypeError"}, "TypeError"},
		{&protocol.ToolError{Name: "X", Message: "tool"}, "tool"},
		{fmt.Errorf("wrapped: %w", errors.New("inner")), "wrapped: inner"},
	} {
		code := "async () => { try { await codemode.f(); return 'no error' } catch (e) { return [e.message, e.name, e.constructor === Error, Object.keys(e), e.cause === undefined] } }"
		r := run(t, code, tools(functions{"f": returns(nil, c.err)})...)
		wantValue(t, r, []any{c.want, "Error", true, []any{}, true})
		wantError(t, run(t, "codemode.f()", tools(functions{"f": returns(nil, c.err)})...), c.want)
	}
	r := run(t, "codemode.f()", tools(functions{"f": func(context.Context, []any) (any, error) { panic("secret") }})...)
	if r.Error == "" || strings.Contains(r.Error, "secret") {
		t.Errorf("a panic is %q", r.Error)
	}
}

// TestCallsAreConcurrent has 200 calls wait for each other.
func TestCallsAreConcurrent(t *testing.T) {
	const n = 200
	arrived, all := make(chan struct{}, n), make(chan struct{})
	go func() {
		for range n {
			<-arrived
		}
		close(all)
	}()
	r := run(t, fmt.Sprintf("async () => (await Promise.all(Array.from({length: %d}, (_, i) => codemode.f(i)))).reduce((a, b) => a + b)", n),
		tools(functions{"f": func(ctx context.Context, args []any) (any, error) {
			arrived <- struct{}{}
			select {
			case <-all:
			case <-ctx.Done():
			}
			return args[0], ctx.Err()
		}})...)
	wantValue(t, r, float64(n*(n-1)/2))
	if len(r.Calls) != n || r.Usage.ToolCalls != n {
		t.Errorf("%d calls are told of, %d counted", len(r.Calls), r.Usage.ToolCalls)
	}
}

// TestNested has a function run a program itself, in a pool of which every
// place is taken by those that wait for it.
func TestNested(t *testing.T) {
	e := codemode.New(native, codemode.Config{})
	var provider []codemode.Provider
	depth := 0
	provider = tools(functions{
		"run": func(ctx context.Context, args []any) (any, error) {
			if depth++; depth > 3 {
				return "bottom", nil
			}
			r := e.Execute(ctx, codemode.Request{Code: args[0].(string), Providers: provider})
			if r.Error != "" {
				return nil, errors.New(r.Error)
			}
			return r.Value, nil
		},
	})
	const code = "async () => { const inner = 'async () => \"in \" + await codemode.run(\"async () => 1 + await codemode.run()\")'; return await codemode.run(inner) }"
	depth = 1
	wantValue(t, e.Execute(t.Context(), codemode.Request{Code: code, Providers: provider}), "in 1bottom")
}

// TestNotAwaited checks what becomes of calls that a program leaves behind.
func TestNotAwaited(t *testing.T) {
	started, cause := make(chan struct{}), make(chan error, 1)
	r := run(t, "async () => { codemode.slow(); await codemode.wait(); return 1 }", tools(functions{
		"slow": func(ctx context.Context, _ []any) (any, error) {
			close(started)
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return nil, ctx.Err()
		},
		"wait": func(context.Context, []any) (any, error) {
			<-started
			return nil, nil
		},
	})...)
	wantValue(t, r, 1.0)
	const want = "The code execution finished before this tool call settled. Await every tool call before returning."
	if got := <-cause; !errors.Is(got, codemode.ErrNotAwaited) || got.Error() != want {
		t.Errorf("the function's context ended with %v", got)
	}
	if r.Usage.PendingCalls != 1 {
		t.Errorf("%d calls were left behind", r.Usage.PendingCalls)
	}
}

// TestNestedNotAwaited has a call that is left behind run a program, which ends with the text of such calls,
// also when it is a clock that ends the program around it.
func TestNestedNotAwaited(t *testing.T) {
	for _, c := range []struct {
		code    string
		timeout time.Duration
		want    string
	}{
		{"async () => { codemode.nested(); await codemode.started() }", 0, ""},
		{"async () => { await codemode.nested() }", 300 * time.Millisecond, "Execution timed out"},
	} {
		e := codemode.New(native, codemode.Config{})
		started, ended := make(chan struct{}), make(chan string, 1)
		r := e.Execute(t.Context(), codemode.Request{Code: c.code, Timeout: c.timeout, Providers: tools(functions{
			"nested": func(ctx context.Context, _ []any) (any, error) {
				r := e.Execute(ctx, codemode.Request{Code: "await codemode.never()", Providers: tools(functions{
					"never": func(ctx context.Context, _ []any) (any, error) {
						close(started)
						<-ctx.Done()
						return nil, ctx.Err()
					},
				})})
				ended <- r.Error
				return nil, nil
			},
			"started": func(context.Context, []any) (any, error) {
				<-started
				return nil, nil
			},
		})})
		if r.Error != c.want {
			t.Errorf("the error is %q, want %q", r.Error, c.want)
		}
		if got, want := <-ended, "The code execution finished before this tool call settled. Await every tool call before returning."; got != want {
			t.Errorf("the nested program's error is %q", got)
		}
	}
}

// asked is a native executor that notes the last request.
type asked struct {
	executor.Interface
	request executor.Request
}

func (a *asked) Execute(ctx context.Context, r executor.Request) (*protocol.Result, error) {
	a.request = r
	return a.Interface.Execute(ctx, r)
}

// TestDefaultTimeout checks what a run that states nothing is bounded by.
func TestDefaultTimeout(t *testing.T) {
	a := &asked{Interface: native}
	wantValue(t, codemode.New(a, codemode.Config{}).Execute(t.Context(), codemode.Request{Code: "1"}), 1.0)
	if got := a.request.Limits.Wall; got != 60_000*time.Millisecond {
		t.Errorf("the timeout is %v", got)
	}
}

// TestTimeout checks the one text of all clocks, and that logs are kept.
func TestTimeout(t *testing.T) {
	e := codemode.New(native, codemode.Config{Timeout: 200 * time.Millisecond})
	wait := tools(functions{"wait": func(ctx context.Context, _ []any) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	for _, code := range []string{
		"async () => { console.log('before'); while (true) {} }",
		"async () => { console.log('before'); await new Promise((r) => setTimeout(r, 1e6)) }",
		"async () => { console.log('before'); await codemode.wait() }",
		"async () => { console.log('before'); for (;;) await null }",
	} {
		r := e.Execute(t.Context(), codemode.Request{Code: code, Providers: wait})
		wantError(t, r, "Execution timed out")
		if diff := cmp.Diff([]string{"before"}, r.Logs); diff != "" {
			t.Errorf("%s: the logs (-want +got):\n%s", code, diff)
		}
		var deadline *protocol.DeadlineExceeded
		if !errors.As(r.Fault, &deadline) || deadline.Kind != protocol.ClockWall {
			t.Errorf("the fault is %v", r.Fault)
		}
	}
	// The shortest timeout is enough for what waits for nothing.
	wantValue(t, e.Execute(t.Context(), codemode.Request{Code: "async () => await Promise.resolve(1)", Timeout: 1}), 1.0)
	// Processor time has a clock of its own, and the same text.
	r := e.Execute(t.Context(), codemode.Request{Code: "while (true) {}", Timeout: 20 * time.Second, Limits: protocol.Limits{CPU: 50 * time.Millisecond}})
	wantError(t, r, "Execution timed out")
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := codemode.New(native, codemode.Config{}).Execute(ctx, codemode.Request{
		Code: "async () => await codemode.stop()", Providers: tools(functions{"stop": func(ctx context.Context, _ []any) (any, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}}),
	})
	if r.Fault == nil || r.Fault.Code() != protocol.CodeCancelled || r.Error == "" {
		t.Errorf("the fault is %v, the error %q", r.Fault, r.Error)
	}
	if diff := cmp.Diff([]string{"codemode.stop"}, r.Fault.Reached().Delivered); diff != "" {
		t.Errorf("the calls delivered (-want +got):\n%s", diff)
	}
}
