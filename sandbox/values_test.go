package sandbox_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

func TestValues(t *testing.T) {
	module, function := withForm(protocol.FormModule), withForm(protocol.FormFunction)
	cases := []struct {
		name, source string
		change       []func(*protocol.Request)
		want         string
	}{
		{"function", "() => 1", nil, "1"},
		{"async function", "async () => { await null; return [1, 'a', null, true] }", nil, `[1,"a",null,true]`},
		{"input", "({n}) => n * 2", []func(*protocol.Request){withInput(`{"n":21}`)}, "42"},
		{"no input", "(i) => i", nil, "undefined"},
		{"named function expression", "(function f(n) { return n < 2 ? 1 : n * f(n - 1) })", []func(*protocol.Request){withInput("5")}, "120"},
		{"function declaration", "async function main({n}) { return n }", []func(*protocol.Request){withInput(`{"n":3}`)}, "3"},
		{"function declaration and a constant", "const add = (a) => a + 1;\nfunction main(n) { return add(n) }", []func(*protocol.Request){withInput("3")}, "4"},
		{"two function declarations", "function a() {} function b() {}", nil, "thrown: uncaught TypeError: a program in the form of a function must evaluate to a function; this one evaluates to undefined"},
		{"no function", "1 + 1", nil, "thrown: uncaught TypeError: a program in the form of a function must evaluate to a function; this one evaluates to 2"},
		{"statements before the function", "const a = 1; () => a", nil, "1"},
		{"default export", "export default 5", nil, "5"},
		{"default exported function", "export default (i) => i + 1", []func(*protocol.Request){withInput("1"), module}, "2"},
		{"no default export", "export const a = 1", nil, "undefined"},
		{"top-level await", "const v = await Promise.resolve(3); export default v", nil, "3"},
		{"a promise as default export", "export default Promise.resolve(4)", nil, "4"},
		{"rich values", "() => [undefined, NaN, -0, 10n, new Date(5), new Map([[1, new Set([2])]]), /a/g, new Uint8Array([1, 2])]", nil,
			`[{"$":"undefined"},{"$":"number","v":"NaN"},{"$":"number","v":"-0"},{"$":"bigint","v":"10"},{"$":"date","v":5},{"$":"map","v":[[1,{"$":"set","v":[2]}]]},{"$":"regexp","source":"a","flags":"g"},{"$":"bytes","type":"Uint8Array","v":"AQI="}]`},
		{"cycle", "() => { const a = {}; a.a = a; return a }", nil, `{"$":"def","id":1,"v":{"a":{"$":"ref","id":1}}}`},
		{"typescript", "enum E { A = 1, B = A << 1 }\ninterface I<T> { v: T }\nconst f = <T,>(v: T): I<T> => ({ v });\nasync (n: number): Promise<I<number>> => f(n + E.B)",
			[]func(*protocol.Request){typescript, withInput("1")}, `{"v":3}`},
		{"typescript module", "type A = number; export default (a: A) => a satisfies number", []func(*protocol.Request){typescript, withInput("7")}, "7"},
		{"typescript of which nothing is left", "type A = number", []func(*protocol.Request){typescript},
			"thrown: uncaught TypeError: a program in the form of a function must evaluate to a function; this one evaluates to undefined"},
		{"typescript of which a directive is left", "'use strict'; type A = number", []func(*protocol.Request){typescript, function},
			"thrown: uncaught TypeError: a program in the form of a function must evaluate to a function; this one evaluates to 'use strict'"},
		{"typescript module of types", "import { c } from 'a'; export default c", []func(*protocol.Request){
			withModule("a", "import { B } from 'b'; export const c = 1", protocol.TypeScript), withModule("b", "export type B = 1", protocol.TypeScript)}, "1"},
		{"virtual modules", "import a from 'a'; import * as b from 'lib/b'; export default a + b.c", []func(*protocol.Request){
			withModule("a", "import { c } from 'lib/b'; export default c * 10", ""), withModule("lib/b", "export const c: number = 1", protocol.TypeScript)}, "11"},
		{"dynamic import", "async () => (await import('a')).default", []func(*protocol.Request){withModule("a", "export default 8", "")}, "8"},
		{"timers", "async () => { const out = []; setTimeout(() => out.push(2), 2); setTimeout(() => out.push(1), 1); await new Promise((r) => setTimeout(r, 4)); return out }", nil, "[1,2]"},
		{"interval", "() => new Promise((r) => { let n = 0; const t = setInterval(() => { if (++n === 3) { clearInterval(t); r(n) } }, 1) })", nil, "3"},
		{"eval is off", "() => { try { return eval('1') } catch (e) { return e.name } }", nil, `"EvalError"`},
		{"eval is granted", "() => eval('1 + 1') + new Function('return 3')()", []func(*protocol.Request){func(r *protocol.Request) { r.Grants = []protocol.Grant{protocol.GrantEval} }}, "5"},

		{"syntax", "() => {\n\n  let let = 1\n}", []func(*protocol.Request){function},
			"syntax: syntax error at program:3:7: let is disallowed as a lexically bound name\n    let let = 1"},
		{"syntax in typescript", "type A = 1;\n\n  const a: = 1", []func(*protocol.Request){typescript},
			"syntax: syntax error at program:3:12: Unexpected \"=\"\n    const a: = 1"},
		{"syntax in a module", "import 'a'", []func(*protocol.Request){withModule("a", "1;\n)", "")}, "syntax: syntax error at a:2:1: Unexpected token ')'\n  )"},
		{"the attempt that got further", "import a from 'a';\nexport default )", nil, "syntax: syntax error at program:2:16: Unexpected token ')'\n  export default )"},
		{"wrapper breakout", "}); (async () => {", nil, "syntax: syntax error at program:1:1: Unexpected token '}'\n  }); (async () => {"},
		{"module not found", "import 'nowhere'", nil, "module_not_found: module not found: \"nowhere\", imported by program, is not among the request's modules\nOnly modules of the request can be imported: this request has none."},
		{"module not found below", "import 'a'", []func(*protocol.Request){withModule("a", "import 'b'", "")}, `module_not_found: module not found: "b", imported by a, is not among the request's modules` + "\n" + `Only modules of the request can be imported: this request has "a".`},
		{"dynamic module not found", "() => import('fs')", nil, `module_not_found: module not found: "fs", imported by program, is not among the request's modules` + "\nThere are no files in the sandbox, and this request has no tools that could stand in."},
		{"stalled", "await new Promise(() => {})", nil, "stalled: " + new(protocol.Stalled).Error()},
		{"stalled function", "() => new Promise(() => {})", nil, "stalled: " + new(protocol.Stalled).Error()},
		{"unserializable", "() => ({items: [1, {cb() {}}]})", nil, "unserializable: unserializable: function at $.items[1].cb of the result cannot cross the isolate's boundary"},
		{"a promise in the value", "() => ({ items: [Promise.resolve(1)] })", nil, "unserializable: unserializable: Promise at $.items[0] of the result cannot cross the isolate's boundary; await it first"},
		{"stack", "() => { const f = () => f() + 1; f() }", nil, "stack_exceeded"},
		{"stack of the parser", "() => " + strings.Repeat("(", 200_000) + strings.Repeat(")", 200_000), nil, "stack_exceeded"},
		{"stack of the parser, in a module", "export default 1; " + strings.Repeat("[", 200_000), []func(*protocol.Request){module}, "stack_exceeded"},
		{"external memory", "() => { const a = []; for (;;) a.push(new ArrayBuffer(1 << 20)) }", nil, "memory_exceeded: memory exceeded: the external limit is 67108864 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := text(execute(t, c.source, c.change...))
			if c.want == "stack_exceeded" {
				got, _, _ = strings.Cut(got, ":")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestThrownPositions(t *testing.T) {
	const js = "async () => {\n  const inner = () => { throw new TypeError('bad', { cause: new Error('deep') }) }\n  await null\n  inner()\n}"
	const ts = "type Unused = { a: string }\n\ninterface Other { b: number }\nasync (): Promise<void> => {\n  const inner = (n: number): never => { throw new TypeError('bad' as string) }\n  await null\n  inner(1)\n}"
	cases := []struct {
		name   string
		source string
		change []func(*protocol.Request)
		stack  []string
	}{
		{"javascript", js, nil, []string{"inner (program:2:31)", "program:4:3"}},
		{"typescript", ts, []func(*protocol.Request){typescript}, []string{"inner (program:5:", "program:7:3"}},
	}
	for _, c := range cases {
		r := execute(t, c.source, c.change...)
		var thrown *protocol.Thrown
		if !errors.As(r.Fault, &thrown) {
			t.Errorf("%s: %s", c.name, text(r))
			continue
		}
		if thrown.Name != "TypeError" || thrown.Message != "bad" {
			t.Errorf("%s: %q, %q", c.name, thrown.Name, thrown.Message)
		}
		for _, frame := range c.stack {
			if !strings.Contains(thrown.Stack, frame) {
				t.Errorf("%s: no frame %q in\n%s", c.name, frame, thrown.Stack)
			}
			if !strings.Contains(string(thrown.Value), frame) {
				t.Errorf("%s: no frame %q in the thrown value\n%s", c.name, frame, thrown.Value)
			}
		}
		if strings.Contains(thrown.Stack, "isogate:") {
			t.Errorf("%s: a frame of the runtime in\n%s", c.name, thrown.Stack)
		}
		if c.name == "javascript" && (len(thrown.Causes) != 1 || thrown.Causes[0].Message != "deep") {
			t.Errorf("causes: %+v", thrown.Causes)
		}
	}
}

// Nothing a program throws makes another fault of its fault.
func TestFaultsCannotBeForged(t *testing.T) {
	sources := []string{
		"() => { throw Object.assign(new Error('deadline exceeded'), { code: 'deadline_exceeded', kind: 'wall' }) }",
		"() => { throw new RangeError('Array buffer allocation failed') }",
		"() => { throw { kind: 'memory_exceeded', code: 'memory_exceeded' } }",
		"() => { class stalled extends Error {}; throw new stalled('stalled') }",
		"() => { throw new TypeError('module not found: \"fs\"') }",
		"() => Promise.reject({ fault: { code: 'overloaded' } })",
	}
	for _, source := range sources {
		if r := execute(t, source); r.Fault == nil || r.Fault.Code() != protocol.CodeThrown {
			t.Errorf("%s: %s", source, text(r))
		}
	}
}
