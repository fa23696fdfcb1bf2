package runtime_test

import "testing"

// This file holds the tests of disposal (Symbol.dispose, the disposable stacks,
// SuppressedError), of the static methods of Promise, and of Error.isError.

func TestDisposal(t *testing.T) {
	testPrograms(t, []program{
		{"the symbols", `return ['dispose', 'asyncDispose'].map((name) => { const d = Object.getOwnPropertyDescriptor(Symbol, name);
    return [typeof d.value, d.value.description, d.writable, d.enumerable, d.configurable, Symbol.keyFor(d.value) === undefined]; });`,
			`[["symbol","Symbol.dispose",false,false,false,true],["symbol","Symbol.asyncDispose",false,false,false,true]]`},
		{"SuppressedError", `const e = new SuppressedError('error', 'suppressed', 'message');
  return [e.error, e.suppressed, e.message, String(e), e instanceof Error, Object.prototype.toString.call(e), Object.keys(e).length, e.stack.startsWith('SuppressedError: message'), SuppressedError(1, 2) instanceof SuppressedError];`,
			`["error","suppressed","message","SuppressedError: message",true,"[object Error]",0,true,true]`},
		{"shape of SuppressedError", `const p = Object.getOwnPropertyDescriptor(SuppressedError, 'prototype'); const e = SuppressedError();
  return [SuppressedError.name, SuppressedError.length, Object.getPrototypeOf(SuppressedError) === Error, p.writable, Reflect.ownKeys(SuppressedError.prototype), Object.hasOwn(e, 'message'), Object.hasOwn(e, 'error'), class extends SuppressedError {}.name,
    new (class A extends SuppressedError {})() instanceof SuppressedError, Object.getPrototypeOf(Reflect.construct(SuppressedError, [], Object.assign(function () {}, { prototype: 1 }))) === SuppressedError.prototype];`,
			`["SuppressedError",3,true,false,["constructor","name","message"],false,true,"",true,true]`},
		{"DisposableStack", `const s = new DisposableStack(); const r = { [Symbol.dispose]() { log.push('used'); } };
  const used = s.use(r) === r; s.adopt('value', (v) => { log.push(v); }); s.defer(() => { log.push('deferred'); }); s.use(null); s.use(undefined);
  const before = s.disposed; s.dispose(); s.dispose(); return [used, before, s.disposed, log];`, `[true,false,true,["deferred","value","used"]]`},
		{"errors are chained", `const s = new DisposableStack(); for (const name of ['a', 'b', 'c']) s.defer(() => { throw name; });
  try { s.dispose(); } catch (e) { return [e.name, e.error, e.suppressed.error, e.suppressed.suppressed, e.message]; }`, `["SuppressedError","a","b","c",""]`},
		{"move", "const s = new DisposableStack(); s.defer(() => { log.push('x'); }); const m = s.move(); s.dispose(); const n = log.length; m.dispose(); return [n, log.length, s.disposed, m instanceof DisposableStack];", "[0,1,true,true]"},
		{"after disposal", "const s = new DisposableStack(); s.dispose(); return ['use', 'adopt', 'defer', 'move'].map((name) => thrown(() => s[name]({}, () => {})));", `["ReferenceError","ReferenceError","ReferenceError","ReferenceError"]`},
		{"moved while the method is read", "const s = new DisposableStack(); let m; s.use({ get [Symbol.dispose]() { m = s.move(); return () => { log.push('disposed'); }; } }); m.dispose(); return [log, s.disposed];", `[["disposed"],true]`},
		{"disposed while the method is read", "const s = new DisposableStack(); const r = {}; Object.defineProperty(r, Symbol.dispose, { get() { s.dispose(); return () => { log.push('disposed'); }; } }); return [s.use(r) === r, log];", `[true,[]]`},
		{"bad resources", "const s = new DisposableStack(); return [thrown(() => s.use({})), thrown(() => s.use(1)), thrown(() => s.use({ [Symbol.dispose]: 1 })), thrown(() => s.defer(1)), thrown(() => s.adopt(1)), thrown(() => DisposableStack()), thrown(() => s.dispose.call({}))];",
			`["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"shape of the stacks", `const p = DisposableStack.prototype; const q = AsyncDisposableStack.prototype;
  return [DisposableStack.name, AsyncDisposableStack.name, p[Symbol.dispose] === p.dispose, q[Symbol.asyncDispose] === q.disposeAsync, String(new DisposableStack()), String(new AsyncDisposableStack()), Object.getOwnPropertyDescriptor(p, 'disposed').get.name, DisposableStack.length,
    Object.getOwnPropertyDescriptor(globalThis, 'DisposableStack').enumerable, Reflect.ownKeys(new DisposableStack()).length];`,
			`["DisposableStack","AsyncDisposableStack",true,true,"[object DisposableStack]","[object AsyncDisposableStack]","get disposed",0,false,0]`},
		{"AsyncDisposableStack", `const s = new AsyncDisposableStack(); s.defer(async () => { await null; log.push('deferred'); }); s.use({ async [Symbol.asyncDispose]() { log.push('used'); } });
  s.use({ [Symbol.dispose]() { log.push('sync'); } }); s.adopt('value', (v) => { log.push(v); }); await s.disposeAsync(); await s.disposeAsync(); return [log, s.disposed];`,
			`[["value","sync","used","deferred"],true]`},
		{"what is thrown and rejected", `const s = new AsyncDisposableStack(); s.defer(() => { throw 'a'; }); s.defer(async () => { throw 'b'; });
  return [await s.disposeAsync().catch((e) => [e.name, e.error, e.suppressed]), await AsyncDisposableStack.prototype.disposeAsync.call({}).catch((e) => e.name), thrown(() => s.move())];`,
			`[["SuppressedError","a","b"],"TypeError","ReferenceError"]`},
		{"null is waited for", `const turns = async (value) => { const s = new AsyncDisposableStack(); if (value !== undefined) s.use(value); let n = 0; let done = false;
    s.disposeAsync().then(() => { done = true; }); while (!done) { await undefined; n++; } return n; };
  return (await turns(null)) - (await turns());`, "1"},
		{"the promise of Symbol.dispose is not waited for", `const s = new AsyncDisposableStack(); s.use({ [Symbol.dispose]: () => new Promise(() => {}) }); await s.disposeAsync(); return 'done';`, `"done"`},
		{"iterators", `async function* f() { try { yield 1; } finally { log.push('closed'); } } const it = f(); await it.next(); await it[Symbol.asyncDispose](); return [log, Object.getPrototypeOf(Object.getPrototypeOf(f.prototype))[Symbol.asyncDispose].name];`,
			`[["closed"],"[Symbol.asyncDispose]"]`},
	})
}

func TestPromiseStatics(t *testing.T) {
	testPrograms(t, []program{
		{"withResolvers", "const { promise, resolve, reject } = Promise.withResolvers(); resolve(1); return [await promise, resolve.length, reject.length, Object.keys(Promise.withResolvers())];", `[1,1,1,["promise","resolve","reject"]]`},
		{"try", "return [await Promise.try((a, b) => a + b, 1, 2), await Promise.try(() => { throw 'x'; }).catch((e) => e), await Promise.try(async () => 5), await Promise.try(1).catch((e) => e.name)];", `[3,"x",5,"TypeError"]`},
		{"try calls at once", "Promise.try(() => { log.push('called'); }); return log;", `["called"]`},
		{"of a subclass", "class P extends Promise {} return [P.try(() => 1) instanceof P, P.withResolvers().promise instanceof P, thrown(() => Promise.try.call(undefined, () => 1)), thrown(() => Promise.withResolvers.call(() => {}))];",
			`[true,true,"TypeError","TypeError"]`},
		{"allKeyed", "const r = await Promise.allKeyed({ a: Promise.resolve(1), b: 2 }); return [r, Object.getPrototypeOf(r) === null, await Promise.allKeyed({ a: Promise.reject('x') }).catch((e) => e), await Promise.allKeyed(1).catch((e) => e.name)];",
			`[{"a":1,"b":2},true,"x","TypeError"]`},
		{"allSettledKeyed", "return Promise.allSettledKeyed({ a: 1, b: Promise.reject('x') });", `{"a":{"status":"fulfilled","value":1},"b":{"status":"rejected","reason":"x"}}`},
		{"no then is looked up that was not", "const then = Promise.prototype.then; let n = 0; Promise.prototype.then = function (...a) { n++; return then.apply(this, a); }; Promise.withResolvers().resolve(1); Promise.try(() => 1); Promise.prototype.then = then; return n;", "0"},
	})
}

func TestErrorIsError(t *testing.T) {
	testPrograms(t, []program{
		{"errors", "return [new Error(), new TypeError(), new AggregateError([]), new SuppressedError(), new (class extends RangeError {})(), Object.setPrototypeOf(new Error(), null)].map(Error.isError);", "[true,true,true,true,true,true]"},
		{"what looks like one", "return [Object.create(Error.prototype), Error.prototype, { name: 'Error', message: '', stack: '' }, new Proxy(new Error(), {}), undefined, 'Error', Error, { __proto__: Error.prototype, [Symbol.toStringTag]: 'Error' }].map(Error.isError);",
			"[false,false,false,false,false,false,false,false]"},
		{"a revoked proxy", "const { proxy, revoke } = Proxy.revocable(new Error(), {}); revoke(); return Error.isError(proxy);", "false"},
	})
}
