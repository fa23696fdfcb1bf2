package runtime_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of what becomes of things that are thrown, and of
// the stacks that programs and hosts see.

func TestThrown(t *testing.T) {
	cases := []struct {
		name, source string
		want         protocol.Thrown // without the codec text of what was thrown
	}{
		{"an error", "() => { throw new TypeError('bad') }", protocol.Thrown{Name: "TypeError", Message: "bad", Stack: "    at program:1:15"}},
		{"rejected", "async () => { await null; throw new RangeError('late') }", protocol.Thrown{Name: "RangeError", Message: "late", Stack: "    at program:1:33"}},
		{"in a function", "() => {\n  function outer() { inner() }\n  function inner() { null.x }\n  outer();\n}", protocol.Thrown{Name: "TypeError",
			Message: "Cannot read properties of null (reading 'x')", Stack: "    at inner (program:3:27)\n    at outer (program:2:22)\n    at program:4:3"}},
		{"while compiling the value", "nothing.at.all", protocol.Thrown{Name: "ReferenceError", Message: "nothing is not defined", Stack: "    at program:1:1"}},
		{"a class of its own", "() => { class NoMoney extends Error { name = 'NoMoney' } throw Object.assign(new NoMoney('x'), { stack: '' }) }", protocol.Thrown{Name: "NoMoney", Message: "x"}},
		{"a string", "() => { throw 'text' }", protocol.Thrown{Message: "'text'"}},
		{"an empty string", "() => { throw '' }", protocol.Thrown{Message: "''"}},
		{"null", "() => { throw null }", protocol.Thrown{Message: "null"}},
		{"undefined", "async () => { throw undefined }", protocol.Thrown{Message: "undefined"}},
		{"a symbol", "() => { throw Symbol('s') }", protocol.Thrown{Message: "Symbol(s)"}},
		{"an object", "() => { throw { code: 42, nested: { a: [1] } } }", protocol.Thrown{Message: "{ code: 42, nested: { a: [ 1 ] } }"}},
		{"what looks like an error", "() => { throw { name: 'TypeError', message: 'm', stack: 's' } }", protocol.Thrown{Message: "{ name: 'TypeError', message: 'm', stack: 's' }"}},
		{"causes", "() => { const d = new TypeError('c', { cause: 'root' }), c = new Error('b', { cause: d }), e = new Error('a', { cause: c }); e.stack = c.stack = d.stack = ''; throw e }",
			protocol.Thrown{Name: "Error", Message: "a", Causes: []protocol.Cause{{Name: "Error", Message: "b"}, {Name: "TypeError", Message: "c"}, {Message: "'root'"}}}},
		{"causes in a circle", "() => { const e = new Error('a'), f = new Error('b', { cause: e }); e.stack = f.stack = ''; e.cause = f; throw e }",
			protocol.Thrown{Name: "Error", Message: "a", Causes: []protocol.Cause{{Name: "Error", Message: "b"}}}},
		{"its own cause", "() => { const e = new Error('a'); e.stack = ''; e.cause = e; throw e }", protocol.Thrown{Name: "Error", Message: "a"}},
		{"getters that throw", "() => { const e = new Error('x'); for (const k of ['name', 'message', 'stack', 'cause']) Object.defineProperty(e, k, { get() { throw 1 } }); throw e }", protocol.Thrown{Name: "Error"}},
		{"properties that are no text", "() => { const e = new Error('x'); e.name = { toString() { throw 1 } }; e.message = 5; e.stack = {}; e.cause = Symbol('c'); throw e }",
			protocol.Thrown{Name: "Error", Message: "5", Causes: []protocol.Cause{{Message: "Symbol(c)"}}}},
		{"a proxy", "() => { throw new Proxy(new Error('p'), { get() { throw 1 }, getPrototypeOf() { throw 1 }, ownKeys() { throw 1 }, getOwnPropertyDescriptor() { throw 1 } }) }", protocol.Thrown{Message: "<an object that cannot be shown>"}},
		{"a proxy of an error", "() => { const e = new Error('p'); e.stack = ''; throw new Proxy(e, {}) }", protocol.Thrown{Name: "Error", Message: "p"}},
		{"a revoked proxy", "() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy }", protocol.Thrown{Message: "<an object that cannot be shown>"}},
		{"an error cut off from its class", "() => { const e = new Error('cut'); e.stack = ''; throw Object.setPrototypeOf(e, null) }", protocol.Thrown{Name: "Error", Message: "cut"}},
		{"a function", "() => { throw function f() {} }", protocol.Thrown{Message: "[Function: f]"}},
		{"a message with a frame in it", "() => { const e = new Error('m\\n    at forged (program:9:9)'); throw e }", protocol.Thrown{Name: "Error", Message: "m\n    at forged (program:9:9)", Stack: "    at program:1:19"}},
		{"an imitated limit", "() => { const e = new Error('memory limit exceeded'); e.stack = ''; e.code = 'memory_exceeded'; e.kind = 'unserializable'; throw e }", protocol.Thrown{Name: "Error", Message: "memory limit exceeded"}},
		{"no function", "42", protocol.Thrown{Name: "TypeError", Message: "a program in the form of a function must evaluate to a function; this one evaluates to 42"}},
		{"a class", "(class A {})", protocol.Thrown{Name: "TypeError", Message: "Class constructor A cannot be invoked without 'new'"}},
		{"a thenable that throws", "() => ({ then() { throw 'in then' } })", protocol.Thrown{Message: "'in then'"}},
		{"a thenable that settles twice", "() => ({ then(yes, no) { no('first'); yes('second'); no('third') } })", protocol.Thrown{Message: "'first'"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result, _ := run(t, c.source)
			fault, ok := result.Fault.(*protocol.Thrown)
			if !ok {
				t.Fatalf("value %s, fault %v", result.Value, result.Fault)
			}
			got := protocol.Thrown{Name: fault.Name, Message: fault.Message, Stack: fault.Stack, Causes: fault.Causes}
			if diff := cmp.Diff(c.want.Error(), got.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestThrownValue(t *testing.T) {
	cases := []struct{ source, want string }{
		{"() => { throw { code: 42 } }", `{"code":42}`},
		{"() => { throw 'text' }", `"text"`},
		{"() => { throw undefined }", `{"$":"undefined"}`},
		{"() => { const e = new RangeError('r'); e.stack = ''; e.code = 'E'; throw e }", `{"$":"error","name":"RangeError","message":"r","fields":{"code":"E"}}`},
		{"() => { throw () => 1 }", ""},
		{"() => { throw { big: 'x'.repeat(70000) } }", ""},
		{"() => { throw { get a() { throw 1 } } }", ""},
	}
	for _, c := range cases {
		result, _ := run(t, c.source)
		if fault, ok := result.Fault.(*protocol.Thrown); !ok || string(fault.Value) != c.want {
			t.Errorf("%s: %T, %s", c.source, result.Fault, fault.Value)
		}
	}
}

func TestThrownIsBounded(t *testing.T) {
	const bound = 1000
	for _, source := range []string{
		"() => { throw new Error('m'.repeat(2 ** 22)) }",
		"() => { const e = new Error('m'); e.stack = 'Error: m\\n    at x' + '\\n    at y'.repeat(2 ** 20); e.name = 'n'.repeat(2 ** 20); throw e }",
		"() => { throw 's'.repeat(2 ** 26) }",
		"() => { throw Array(1e6).fill('element') }",
		"() => { let e = new Error('0'); for (let i = 1; i < 1e4; i++) e = new Error(i + 'x'.repeat(100), { cause: e }); throw e }",
		"() => { throw new Error('o', { cause: 'c'.repeat(2 ** 26) }) }",
		"() => { let p; p = new Proxy(new Error('p'), { get: (t, k) => k === 'cause' ? new Error('x') : t[k], has: () => true, getOwnPropertyDescriptor: () => ({ value: 1, configurable: true }) }); throw p }",
		"'" + repeat("v", 5000) + "'",
	} {
		result, _ := run(t, source, withLimits(protocol.Limits{ErrorText: bound}))
		fault, ok := result.Fault.(*protocol.Thrown)
		if !ok {
			t.Errorf("%.60s: value %s, fault %v", source, result.Value, result.Fault)
			continue
		}
		size := len(fault.Name) + len(fault.Message) + len(fault.Stack)
		causes := 0
		for _, cause := range fault.Causes {
			causes += len(cause.Name) + len(cause.Message) + len(cause.Stack)
		}
		if size > bound+300 || causes > bound+300*len(fault.Causes) || len(fault.Causes) > 16 || result.Usage.CPUMS > 5000 {
			t.Errorf("%.60s: %d bytes, causes %d, %v ms", source, size, causes, result.Usage.CPUMS)
		}
	}
}

func TestStackOverflow(t *testing.T) {
	for _, source := range []string{
		"() => { const f = () => f() + 1; f() }",
		"async () => { await null; const f = () => f() + 1; f() }",
		"() => { const o = { get a() { return this.a } }; return o.a }",
	} {
		result, _ := run(t, source)
		if fault, ok := result.Fault.(*protocol.StackExceeded); !ok || !strings.Contains(fault.Stack, "(program:1:") {
			t.Errorf("%s: %T %v", source, result.Fault, result.Fault)
		}
	}
	for _, source := range []string{
		"() => { throw new TypeError('Maximum call stack size exceeded') }",
		"() => { throw { name: 'RangeError', message: 'Maximum call stack size exceeded', stack: '' } }",
		"() => { throw new (class extends RangeError {})('Maximum call stack size exceeded') }",
		"() => { throw new RangeError('Maximum call stack size exceeded', { cause: 1 }) }",
	} {
		result, _ := run(t, source)
		if _, ok := result.Fault.(*protocol.Thrown); !ok {
			t.Errorf("%s: %T %v", source, result.Fault, result.Fault)
		}
	}
}

func TestModuleNotFound(t *testing.T) {
	source := "async () => { try { await import('fs') } catch (e) { return [e instanceof TypeError, e.message] } }"
	want := `[true,"Cannot find module \"fs\" imported from program: only the modules of the request can be imported"]`
	if got := value(t, source); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	result, _ := run(t, "async () => { await import('fs') }")
	if fault, ok := result.Fault.(*protocol.ModuleNotFound); !ok || fault.Specifier != "fs" || fault.Importer != "program" {
		t.Errorf("%T %v", result.Fault, result.Fault)
	}
}

func TestStacks(t *testing.T) {
	cases := []struct {
		name, source, want string
		changes            []change
	}{
		{"as V8 writes them", "() => { class A { static m() { return new Error('x').stack } } return [1].map(function named() { return A.m() })[0] }",
			`"Error: x\n    at A.m (program:1:39)\n    at named (program:1:107)\n    at Array.map (<anonymous>)\n    at program:1:75"`, nil},
		{"constructors and async frames", "async () => { class B { constructor() { this.s = new Error().stack } } const f = async () => { await null; return new B().s }; return await f() }",
			`"Error\n    at new B (program:1:50)\n    at f (program:1:115)\n    at async program:1:135"`, nil},
		{"none of the runtime's", "async () => { let s; console.log('%s', { toString() { s = new Error('in toString').stack; return '' } }); return s }",
			`"Error: in toString\n    at Object.toString (program:1:59)\n    at program:1:30"`, nil},
		// V8 counts ten frames, the runtime's among them.
		{"none while encoding", "async () => { let s; await tools.args({ get a() { s = new Error('g').stack; return 1 } }); return s }",
			`"Error: g\n    at get a [as a] (program:1:55)"`, nil},
		{"a program cannot name itself otherwise", "() => new Error('n').stack\n//# sourceURL=/etc/passwd", `"Error: n\n    at program:1:7"`, nil},
		{"in functions too", "() => { function f() { return new Error('n').stack } return f() }\n//# sourceURL=isogate:runtime", `"Error: n\n    at f (program:1:31)\n    at program:1:61"`, nil},
		{"modules", "import { f } from 'lib'; export default f()", `"Error: l\n    at f (lib:1:30)\n    at program:1:41"`,
			[]change{asModule, withModule("lib", "export function f() { return new Error('l').stack }")}},
		{"Error.prepareStackTrace is not asked", "() => { let called = 0; Error.prepareStackTrace = (e, sites) => { called++; return sites }; const s = new Error('p').stack; return [typeof s, called] }",
			`["string",0]`, nil},
		{"captureStackTrace", "() => { const o = { name: 'N', message: 'm' }; Error.captureStackTrace(o); return o.stack }", `"N: m\n    at program:1:54"`, nil},
		{"stackTraceLimit", "() => { Error.stackTraceLimit = 1; const f = () => new Error('l').stack; return f() }", `"Error: l\n    at f (program:1:52)"`, nil},
		{"a name that throws", "() => { const e = new Error('t'); Object.defineProperty(e, 'name', { get() { throw 1 } }); return e.stack }", `"<error>\n    at program:1:19"`, nil},
		{"the header is made when it is asked for", "() => { const e = new Error('a'); e.message = 'b'; return e.stack }", `"Error: b\n    at program:1:19"`, nil},
		{"eval", "() => { const e = eval('new Error(\"e\")'); return e.stack.split('\\n').length > 1 }", "true", []change{withGrant(protocol.GrantEval)}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source, c.changes...)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
