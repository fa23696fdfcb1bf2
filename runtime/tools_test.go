package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of tools as a program sees them.

func TestTools(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"arguments are positional", "async () => [await tools.args(), await tools.args(undefined), await tools.args(1, 'a', { b: [2] })]",
			`["[]","[{\"$\":\"undefined\"}]","[1,\"a\",{\"b\":[2]}]"]`},
		{"replies of every kind", "async () => { const r = await tools.echo(new Map([['d', new Date(7)]])); return [r instanceof Map, r.get('d').getTime()] }", `[true,7]`},
		{"a reply with __proto__", `async (v) => { const r = await tools.echo(v); return [Object.keys(r), r.polluted, ({}).polluted, Object.getPrototypeOf(r) === Object.prototype] }`,
			`[["__proto__","constructor"],{"$":"undefined"},{"$":"undefined"},true]`},
		{"tools are promises' makers", "async () => { const p = tools.echo(1); return [p instanceof Promise, p.constructor === Promise, await p] }", `[true,true,1]`},
		{"tools work alone", "async () => { const { echo } = tools; return Promise.all([1, 2, 3].map((v) => echo(v))) }", `[1,2,3]`},
		{"tools are frozen", `() => {
  'use strict';
  const out = [];
  const attempt = (f) => { try { f(); out.push('done') } catch (e) { out.push(e.name) } };
  attempt(() => { tools.echo = 1 });
  attempt(() => { delete tools.echo });
  attempt(() => { tools.extra = 1 });
  attempt(() => { tools.echo.x = 1 });
  attempt(() => { tools = 1 });
  attempt(() => { delete globalThis.tools });
  attempt(() => { Object.defineProperty(globalThis, 'tools', { value: 1 }) });
  attempt(() => { Object.defineProperty(tools, 'echo', { get() {} }) });
  attempt(() => { Object.setPrototypeOf(tools, {}) });
  attempt(() => { Object.setPrototypeOf(tools.echo, null) });
  attempt(() => { new tools.echo() });
  return out;
}`, `["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"sloppy assignments change nothing", "async () => { tools.echo = () => 'mine'; delete tools.args; return [await tools.echo(1), typeof tools.args] }", `[1,"function"]`},
		{"shape", `() => [Object.keys(tools), Object.isFrozen(tools), Object.isFrozen(tools.echo), tools.echo.name, tools.echo.length, 'prototype' in tools.echo,
  Object.getPrototypeOf(tools) === Object.prototype, Object.getPrototypeOf(tools.echo) === Function.prototype, tools.nope, tools.then]`,
			`[["echo","args","note","fail","never"],true,true,"echo",0,false,true,true,{"$":"undefined"},{"$":"undefined"}]`},
		{"no caller, no arguments", "() => { 'use strict'; const out = []; for (const key of ['caller', 'arguments']) { try { out.push(tools.echo[key]) } catch (e) { out.push(e.name) } } return out }",
			`["TypeError","TypeError"]`},
		{"all is of the guest's realm", `async () => {
  const things = [tools, tools.echo, tools.echo(1), await tools.echo({}), await tools.echo([]), console, console.log, setTimeout, await tools.fail({ name: 'E', message: 'm' }).catch((e) => e)];
  const roots = new Set();
  for (let thing of things) { while (Object.getPrototypeOf(thing) !== null) thing = Object.getPrototypeOf(thing); roots.add(thing) }
  return [roots.size, roots.has(Object.prototype), things.every((thing) => typeof thing !== 'function' || thing.constructor === Function)];
}`, `[1,true,true]`},
		{"no code from a tool's constructor", "() => { try { return tools.echo.constructor('return 1')() } catch (e) { return e.name } }", `"EvalError"`},
		{"an error of the tool", `async () => {
  try { await tools.fail({ name: 'HttpError', message: 'not found', fields: { status: 404, at: new Date(1) } }) } catch (e) {
    return [e instanceof Error, e.constructor === Error, e.name, e.message, e.status, Object.keys(e), String(e), e.at instanceof Date];
  }
}`, `[true,true,"HttpError","not found",404,["status","at"],"HttpError: not found",true]`},
		{"an error of a known kind", `async () => {
  try { await tools.fail({ name: 'RangeError', message: 'm', cause: undefined }) } catch (e) { return [e instanceof RangeError, Object.hasOwn(e, 'name'), 'cause' in e, e.cause] }
}`, `[true,false,true,{"$":"undefined"}]`},
		{"an error's stack leads to the call", `async () => {
  const call = () => tools.fail({ name: 'Bad', message: 'm' });
  try { await call() } catch (e) { return e.stack }
}`, `"Bad: m\n    at call (program:2:28)\n    at program:3:15"`},
		{"an error with its own stack", "async () => { try { await tools.fail({ name: 'E', message: 'm', stack: 'elsewhere' }) } catch (e) { return e.stack } }", `"elsewhere"`},
		{"arguments that cannot cross reject", "async () => { try { await tools.echo({ a: [() => 1] }) } catch (e) { return [e.name, e.message] } }",
			`["TypeError","the arguments of tools.echo hold a function at $[0].a[0], which cannot leave the isolate"]`},
		{"the cause of a getter that throws", "async () => { try { await tools.echo({ get a() { throw new Error('deep') } }) } catch (e) { return e.cause.message } }", `"deep"`},
		{"a call too deep in the stack rejects or throws", "async () => { const deep = () => { try { return deep() } catch { return tools.echo(1) } }; try { return await deep() } catch (e) { return e.name === 'RangeError' ? 1 : e } }", `1`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source, withInput(`{"__proto__":{"polluted":1},"constructor":1}`))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Arguments that nobody catches are a fault of their own, as long as it is the
// runtime's own error.
func TestUncaughtArguments(t *testing.T) {
	result, _ := run(t, "async () => { await tools.echo(1, { f() {} }) }")
	want := &protocol.Unserializable{What: "function", Path: "$[1].f", Where: "arguments of tools.echo"}
	if fault, ok := result.Fault.(*protocol.Unserializable); !ok || fault.Error() != want.Error() {
		t.Errorf("fault %v, want %v", result.Fault, want)
	}
	for _, source := range []string{
		"async () => { try { await tools.echo(() => 1) } catch (e) { throw new TypeError(e.message, { cause: e }) } }",
		"async () => { try { await tools.echo(() => 1) } catch (e) { throw Object.assign(Object.create(e), {}) } }",
		"() => { throw Object.assign(new TypeError('unserializable'), { kind: 'unserializable', what: 'x', path: '$' }) }",
	} {
		result, _ := run(t, source)
		if _, ok := result.Fault.(*protocol.Thrown); !ok {
			t.Errorf("%s: %T %v", source, result.Fault, result.Fault)
		}
	}
}
