package runtime_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of what a person reads of errors that nobody caught: the
// fault with all that is within an error, the log entries of what ends nothing, and
// stacks through asynchronous code.

func TestErrorsWithinErrors(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"AggregateError", "async () => {\n  const fail = async (m) => { throw new TypeError(m) };\n  await Promise.any([fail('a'), fail('b')]);\n}",
			"uncaught AggregateError: All promises were rejected\nerrors[0]: TypeError: a\n    at fail (program:2:37)\n    at program:3:22\nerrors[1]: TypeError: b\n    at fail (program:2:37)\n    at program:3:33"},
		{"members with causes, and a cause with members", `() => {
  const plain = (e) => { e.stack = ''; return e };
  const inner = plain(new AggregateError([1, plain(new Error('member', { cause: 'deep' }))], 'inner'));
  throw plain(new AggregateError([plain(new RangeError('first', { cause: inner })), 'text'], 'outer', { cause: plain(new Error('why', { cause: inner })) }));
}`, `uncaught AggregateError: outer
errors[0]: RangeError: first
errors[0].cause: AggregateError: inner
errors[0].cause.errors[0]: 1
errors[0].cause.errors[1]: Error: member
errors[0].cause.errors[1].cause: 'deep'
errors[1]: 'text'
caused by Error: why`},
		{"a cause with members", `() => {
  const inner = new AggregateError([new Error('')], 'inner'); inner.stack = inner.errors[0].stack = '';
  const outer = new Error('outer', { cause: inner }); outer.stack = '';
  throw outer;
}`, "uncaught Error: outer\ncaused by AggregateError: inner\ncause.errors[0]: Error"},
		{"many members", `() => {
  const e = new AggregateError(Array.from({ length: 100 }, (_, i) => i), 'many'); e.stack = '';
  throw e;
}`, "uncaught AggregateError: many\nerrors[0]: 0\nerrors[1]: 1\nerrors[2]: 2\nerrors[3]: 3\nerrors[4]: 4\nerrors[5]: 5\nerrors[6]: 6\nerrors[7]: 7\nerrors: 92 more"},
		{"SuppressedError", `() => {
  const plain = (e) => { e.stack = ''; return e };
  throw plain(new SuppressedError(plain(new Error('late')), plain(new TypeError('early')), 'two'));
}`, "uncaught SuppressedError: two\nerror: Error: late\nsuppressed: TypeError: early"},
		{"members that are no list", "() => { const e = new AggregateError([], 'a'); e.stack = ''; e.errors = { length: 2, 0: 1 }; throw e }", "uncaught AggregateError: a"},
		{"members that throw", "() => { const e = new AggregateError([], 'a'); e.stack = ''; Object.defineProperty(e, 'errors', { get() { throw 1 } }); throw e }", "uncaught AggregateError: a"},
		{"errors of another class", "() => { const e = new Error('a'); e.stack = ''; e.errors = [1]; throw e }", "uncaught Error: a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result, _ := run(t, c.source)
			fault, ok := result.Fault.(*protocol.Thrown)
			if !ok {
				t.Fatalf("value %s, fault %v", result.Value, result.Fault)
			}
			if c.name == "AggregateError" {
				fault.Stack = "" // V8 gives none of ours to the one that Promise.any makes
			}
			if diff := cmp.Diff(c.want, fault.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestErrorsWithinErrorsInTheConsole(t *testing.T) {
	got := withoutPositions(logged(t, `
    const plain = (e) => { e.stack = ''; return e };
    console.log(plain(new AggregateError([plain(new Error('a')), 2], 'two')));
    console.log(plain(new SuppressedError(plain(new Error('late')), 'early', 's')));
    console.log(plain(new Error('outer', { cause: plain(new Error('inner', { cause: 'root' })) })));`))
	want := `[AggregateError: two] { [errors]: [ [Error: a], 2 ] }
[SuppressedError: s] { [error]: [Error: late], [suppressed]: 'early' }
[Error: outer] { [cause]: [Error: inner] { [cause]: 'root' } }`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestUnhandledRejections(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"as a fault would say it", "    Promise.reject(new TypeError('no', { cause: new Error('why') }));\n    await null;",
			"error: Unhandled rejection: TypeError: no\n    at program {\n  [cause]: Error: why\n      at program\n}"},
		{"with a hint", "(async () => { await null; ecoh() })();\n    await new Promise((resolve) => setTimeout(resolve));",
			"error: Unhandled rejection: ReferenceError: ecoh is not defined\nDid you mean tools.echo?\n    at program"},
		{"of a tool that was not waited for", "tools.fail({ name: 'Denied', message: 'no' });\n    await new Promise((resolve) => setTimeout(resolve, 50));",
			"error: Unhandled rejection: Denied: no\n    at program"},
		{"at the very end", "tools.args(Symbol('s'));\n    return 1;",
			"error: Unhandled rejection: TypeError: the arguments of tools.args hold a symbol at $[0], which cannot leave the isolate\n    at program"},
		{"at the very end, before a fault", "Promise.reject(1);\n    throw 2;", "error: Unhandled rejection: 1\nfault thrown: uncaught 2"},
		{"handled at once", "Promise.reject(1).catch(() => {});\n    return 1;", ""},
		{"in a group", "console.group();\n    Promise.reject(1);\n    await null;", "error: Unhandled rejection: 1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := withoutPositions(logged(t, c.body))
			got = strings.ReplaceAll(got, "    at async program\n", "")
			if diff := cmp.Diff(c.want, strings.TrimSuffix(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestReportedErrorsHaveHints(t *testing.T) {
	got := withoutPositions(logged(t, `
    setTimeout(() => { tools.ecoh(1) });
    queueMicrotask(() => { fetch('x') });
    setTimeout(() => { (async () => require('fs'))() }, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));`))
	want := `error: Uncaught exception in a microtask: ReferenceError: fetch is not defined
There is no network in the sandbox: use the request's tools, tools.echo, tools.args, tools.note, tools.fail, tools.never.
    at program
error: Uncaught exception in a timer: TypeError: tools.ecoh is not a function
Did you mean tools.echo?
    at program
error: Unhandled rejection: ReferenceError: require is not defined
Modules are imported, with import x from 'name' or await import('name'): this request has none.
    at program
    at program`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestReportError(t *testing.T) {
	got := withoutPositions(logged(t, `
    reportError(new RangeError('far'));
    reportError('text');
    reportError(undefined);
    try { fetch() } catch (e) { reportError(e) }
    try { reportError() } catch (e) { console.log(e.name + ': ' + e.message) }
    console.log(reportError.name, reportError.length, reportError(new Proxy({}, { get() { throw 1 } })), 'prototype' in reportError);`))
	want := `error: Uncaught exception: RangeError: far
    at program
error: Uncaught exception: 'text'
error: Uncaught exception: undefined
error: Uncaught exception: ReferenceError: fetch is not defined
There is no network in the sandbox: use the request's tools, tools.echo, tools.args, tools.note, tools.fail, tools.never.
    at program
TypeError: reportError: 1 argument required, but only 0 present
error: Uncaught exception: {}
reportError 1 undefined false`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestStacksThroughAsynchronousCode(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"awaited functions", "async () => {\n  const inner = async () => { await null; throw new Error('e') };\n  const outer = async () => { await inner() };\n  await outer();\n}",
			"uncaught Error: e\n    at inner (program:2:49)\n    at async outer (program:3:31)\n    at async program:4:3"},
		{"Promise.all", "async () => {\n  const f = async (x) => { await null; if (x) throw new Error('e') };\n  await Promise.all([f(0), f(1)]);\n}",
			"uncaught Error: e\n    at f (program:2:53)\n    at async Promise.all (index 1)\n    at async program:3:3"},
		{"a tool", "async () => {\n  const ask = async () => await tools.fail({ name: 'Denied', message: 'no' });\n  await null;\n  await ask();\n}",
			"uncaught Denied: no\n    at ask (program:2:39)\n    at program:4:9"},
		{"a tool, from later on", "async () => {\n  const ask = async () => { await null; await tools.fail({ name: 'Denied', message: 'no' }) };\n  await ask();\n}",
			"uncaught Denied: no\n    at ask (program:2:53)\n    at async program:3:3"},
		{"a timer", "() => new Promise((resolve, reject) => {\n  setTimeout(function later() { reject(new Error('e')) }, 1);\n})",
			"uncaught Error: e\n    at later (program:2:40)"},
		{"an asynchronous generator", "async () => {\n  async function* g() { yield 1; throw new Error('e') }\n  for await (const x of g()) x;\n}",
			"uncaught Error: e\n    at g (program:2:40)\n    at g.next (<anonymous>)\n    at program:3:20"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result, _ := run(t, c.source)
			if result.Fault == nil {
				t.Fatalf("value %s", result.Value)
			}
			if diff := cmp.Diff(c.want, result.Fault.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
