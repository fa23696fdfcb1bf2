package codemode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/codemode"
	"github.com/isogate/isogate/executor"
	"github.com/isogate/isogate/pool"
	"github.com/isogate/isogate/protocol"
)

// This file owns the tests of errors and logs, of positions, and of what limits do.

func TestErrors(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"throw new Error('boom')", "boom"},
		{"throw new TypeError('t')", "t"},
		{"throw new (class MyError extends Error { name = 'My' })('m')", "m"},
		{"throw new AggregateError([new Error('a')], 'agg')", "agg"},
		{"throw new DOMException('dom', 'AbortError')", "dom"},
		{"throw new Error('with a cause', {cause: 1})", "with a cause"},
		{"await Promise.reject(new Error('rejected'))", "rejected"},
		{"throw {message: 'm'}", "m"},
		{"throw {message: 42}", "42"},
		{"throw {message: {deep: 1}}", `{"deep":1}`},
		{"throw 'str'", "str"},
		{"await Promise.reject('s')", "s"},
		{"throw ''", "''"},
		{"throw 42", "42"},
		{"throw 1n", "1n"},
		{"throw null", "null"},
		{"throw undefined", "undefined"},
		{"throw {code: 1}", "{ code: 1 }"},
		{"throw {message: ''}", "{ message: '' }"},
		{"throw new Error('')", "Error"},
		{"throw new RangeError()", "RangeError"},
		{"throw new Error('Execution timed out')", "Execution timed out"},
		{"nons.x()", "nons is not defined"},
		{"null.x", "Cannot read properties of null (reading 'x')"},
		{"const f = () => f(); f()", "Maximum call stack size exceeded"},
		{"eval('1')", "Code generation from strings disallowed for this context"},
		{"new Function('return 1')()", "Code generation from strings disallowed for this context"},
		{"const {readFile} = await import('node:fs')", `No such module "node:fs".`},
		{"process.exit(3)", "process is not defined"},
		{"await new Promise(() => {})", "stalled: the program waits for a promise that nothing can settle (no job, timer or tool call is left)"},
		{"async () => {\n  let x = ;\n}", "SyntaxError: Unexpected token ';' (program:2:11)\n    let x = ;"},
		{"const a = 1\nlet b = = 2", "SyntaxError: Unexpected token '=' (program:2:9)\n  let b = = 2"},
		{"```js\nconst a = 1;\nlet b = );\n```", "SyntaxError: Unexpected token ')' (program:3:9)\n  let b = );"},
		{"async () => {", "SyntaxError: Unexpected end of input (program:1:14)\n  async () => {"},
		{"let a; let a; a", "SyntaxError: Identifier 'a' has already been declared (program:1:12)\n  let a; let a; a"},
		{"import x from 'y'\nx", "SyntaxError: Unexpected identifier 'x' (program:1:8)\n  import x from 'y'"},
		{"export const a = 1", "SyntaxError: Unexpected token 'export' (program:1:1)\n  export const a = 1"},
		{"}) (), console.log('inj'), (async () => {", "SyntaxError: Unexpected token '}' (program:1:1)\n  }) (), console.log('inj'), (async () => {"},
		{"}, console.log('inj'), async () => {", "SyntaxError: Unexpected token '}' (program:1:1)\n  }, console.log('inj'), async () => {"},
		{"}; console.log('inj'); async () => {", "SyntaxError: Unexpected token '}' (program:1:1)\n  }; console.log('inj'); async () => {"},
	} {
		t.Run(c.code, func(t *testing.T) {
			r := run(t, c.code)
			wantError(t, r, c.want)
			if r.Logs == nil || len(r.Logs) != 0 {
				t.Errorf("the logs are %q", r.Logs)
			}
			if r.Fault == nil {
				t.Error("there is no fault")
			}
		})
	}
}

// TestRuns checks programs in every form that the dialect has, and in those that it fails on.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		code string
		want any
	}{
		{"", protocol.Undefined{}},
		{"async () => 1", 1.0},
		{"async () => 1;", 1.0},
		{"() => 1", 1.0},
		{"(async () => { return 1 })", 1.0},
		{"const a = 1;\na + 1 // two", 2.0},
		{"const a = await codemode.echo(1);\nreturn a", 1.0},
		{"if (true) return 1;\n2", 1.0},
		{"function main() { return 1 }", 1.0},
		{"export default async function () { return 1 }", 1.0},
		{"export default () => 1;", 1.0},
		{"```ts\nasync () => 1\n```", 1.0},
		{"await codemode.echo('a')", "a"},
		// TypeScript
		{"const x: number = 1;\nx", 1.0},
		{"const x = 1 as number;\nreturn x", 1.0},
		{"async (): Promise<{ a: number }> => {\n  const x: { a: number } = { a: 1 };\n  return x;\n}", object{"a": 1.0}},
		{"async () => { const x: string = 'a'; return x }", "a"},
		{"async function main<T>(x?: T): Promise<number> {\n  return 1;\n}", 1.0},
		{"export default async function main(x?: string): Promise<number> { return 2 }", 2.0},
		{"export default async (x?: string): Promise<number> => 3", 3.0},
		{"interface A { b: string }\nconst a: A = { b: 'c' };\nawait codemode.echo(a.b)", "c"},
		{"type A = { b: string };\nenum E { x = 1, y }\nconst f = (a: A): string => a.b;\nf({ b: 'c' }) + E.y", "c2"},
		{"const r = (await codemode.echo({ a: [1] })) as { a: number[] };\nconst n: number = r.a[0]!\nn", 1.0},
	} {
		t.Run(c.code, func(t *testing.T) { wantValue(t, run(t, c.code), c.want) })
	}
}

// TestPositions checks that stacks have the lines and columns of the code.
func TestPositions(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"async () => {\n  throw new Error('x')\n}", "at default (program:2:9)"},
		{"const a = 1;\nthrow new Error('x')", "at default (program:2:7)"},
		{"const a = 1;\nfoo(a)", "at default (program:2:1)"},
		{"```js\n\nconst a = 1;\n  foo(a)\n```", "at default (program:4:3)"},
		{"const s = '\U0001F600'; s.x.y", "at default (program:1:21)"},
		{"const x: number = 1;\nthrow new Error('x')", "at default (program:2:7)"},
		{"const a = 1;\nawait codemode.fail()", "at default (program:2:16)"},
	} {
		r := run(t, c.code)
		var thrown *protocol.Thrown
		if !errors.As(r.Fault, &thrown) || strings.TrimSpace(thrown.Stack) != c.want {
			t.Errorf("%q: the fault is %v, want the stack %q", c.code, r.Fault, c.want)
		}
	}
}

func TestLogs(t *testing.T) {
	for _, c := range []struct {
		code string
		want []string
	}{
		{"1", []string{}},
		{"console.log('a', 1, true, null, undefined)", []string{"a 1 true null undefined"}},
		{"console.log({a: 1}, [1, [2]], new Error('e'), new Map())", []string{"[object Object] 1,2 Error: e [object Map]"}},
		{"console.log('%s %d', 'x'); console.log(Symbol('s')); console.log(() => 1)", []string{"%s %d x", "Symbol(s)", "() => 1"}},
		{"console.log(); console.warn(); console.error()", []string{"", "[warn] ", "[error] "}},
		{"console.warn('a', 1); console.error('b'); console.info('c'); console.debug('d')", []string{"[warn] a 1", "[error] b", "[info] c", "[debug] d"}},
		{"console.log('a\\nb')", []string{"a\nb"}},
		{"console.table([1]); console.dir({}); console.group('g'); console.trace(); console.assert(false); console.count(); console.time(); console.timeEnd(); console.log('x'); console.groupEnd()", []string{"x"}},
		{"try { console.log(Object.create(null)) } catch (e) { console.log(e.message) }", []string{"Cannot convert object to primitive value"}},
		{"console.log('kept'); throw new Error('x')", []string{"kept"}},
		{"Promise.reject(new Error('nobody')); setTimeout(() => { throw new Error('late') }, 0); await new Promise((r) => setTimeout(r, 5)); console.log('on')", []string{"on"}},
		{"setTimeout(() => console.log('late'), 1); 1", []string{}},
		{"async () => { typeof __logs; const mine = []; mine.push('x') }", []string{}},
	} {
		if diff := cmp.Diff(c.want, run(t, c.code).Logs); diff != "" {
			t.Errorf("%s: the logs (-want +got):\n%s", c.code, diff)
		}
	}
	r := run(t, "for (let i = 0; i < 10010; i++) console.log(i)")
	if len(r.Logs) != 10_000 || r.Usage.DroppedLogs != 10 {
		t.Errorf("%d entries, %d dropped", len(r.Logs), r.Usage.DroppedLogs)
	}
}

// TestOnLog checks the entries that arrive as they are written.
func TestOnLog(t *testing.T) {
	var got []string
	r := codemode.New(native, codemode.Config{}).Execute(t.Context(), codemode.Request{
		Code:  "console.log('a'); console.warn('b'); console.error('c'); console.info('d'); console.debug('e'); Promise.reject(1); await null",
		OnLog: func(e protocol.LogEntry) { got = append(got, string(e.Level)+" "+e.Text) },
	})
	wantError(t, r, "")
	want := []string{"log a", "warn b", "error c", "info d", "debug e", "error Unhandled rejection: 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the entries (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "[warn] b", "[error] c", "[info] d", "[debug] e"}, r.Logs); diff != "" {
		t.Errorf("the logs (-want +got):\n%s", diff)
	}
}

func TestModules(t *testing.T) {
	e := codemode.New(native, codemode.Config{Modules: map[string]string{
		"helpers.js": "export const a = 1;", "./other.js": "export { a } from './helpers.js';", "broken.js": "export const ;",
	}})
	for code, want := range map[string]any{
		"(await import('helpers.js')).a": 1.0, "(await import('./helpers.js')).a": 1.0, "(await import('other.js')).a": 1.0,
		"await import('broken.js').catch((e) => e.message)": "Unexpected token ';'",
	} {
		wantValue(t, e.Execute(t.Context(), codemode.Request{Code: code}), want)
	}
}

// TestNarrowExecutor runs a program on an executor that allows less than the dialect asks for.
func TestNarrowExecutor(t *testing.T) {
	narrow, err := executor.New(t.Context(), executor.Config{
		Pool: pool.Config{Size: 1}, Max: protocol.Limits{CallsInFlight: 8, ToolCalls: 50, Source: 1 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer narrow.Close()
	e := codemode.New(narrow, codemode.Config{})
	wantValue(t, e.Execute(t.Context(), codemode.Request{Code: "await codemode.echo(1)", Providers: tools(functions{"echo": echo})}), 1.0)
	r := e.Execute(t.Context(), codemode.Request{Code: "1", Limits: protocol.Limits{ToolCalls: 60}})
	var invalid *protocol.InvalidRequest
	if !errors.As(r.Fault, &invalid) || invalid.Field != "limits.toolCalls" {
		t.Errorf("a limit that was stated is not insisted on: %v", r.Fault)
	}
	r = e.Execute(t.Context(), codemode.Request{Code: "'" + strings.Repeat("x", 1<<20) + "'"})
	if r.Fault == nil || r.Fault.Code() != protocol.CodeSourceTooLarge {
		t.Errorf("the fault is %v", r.Fault)
	}
}

// TestLargeProgram runs a program of some megabytes, as one with an API's description in it.
func TestLargeProgram(t *testing.T) {
	code := "async () => { const spec = {" + strings.Repeat(`"/a": {"get": {"operationId": "x"}}, `, 80_000) + "}; return Object.keys(spec).length }"
	if len(code) < 2<<20 {
		t.Fatalf("it has %d bytes", len(code))
	}
	wantValue(t, run(t, code), 1.0)
}
