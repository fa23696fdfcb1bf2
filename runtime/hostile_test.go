package runtime_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/runtime"
)

// This file holds the walk over everything that the parts offer with arguments that
// nobody would pass: nothing may end but by an error of a documented kind, and the library
// works afterwards as before.

// walk calls, for one global of a part, the constructor, every member of it and of its
// prototype, with receivers and arguments of many kinds. It returns the errors that no
// check of arguments makes: those are mistakes of the runtime.
const walk = `
async (name) => {
  const thrower = new Proxy(function () {}, Object.fromEntries(
    ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'apply', 'construct', 'set', 'defineProperty', 'deleteProperty']
      .map((trap) => [trap, () => { throw 'trap' }])));
  const revoked = Proxy.revocable({}, {}); revoked.revoke();
  const revokedFunction = Proxy.revocable(() => {}, {}); revokedFunction.revoke();
  const detached = new Uint8Array(8); structuredClone(detached.buffer, { transfer: [detached.buffer] });
  const detachedView = new DataView(new ArrayBuffer(8), 2); structuredClone(1, { transfer: [detachedView.buffer] });
  const bad = { get [Symbol.iterator]() { throw 'iterator' }, get then() { throw 'then' }, get length() { throw 'length' }, toString() { throw 'toString' }, valueOf() { throw 'valueOf' } };
  const make = () => {
    const pool = [
      undefined, null, true, -1, 0, 1.5, NaN, Infinity, -Infinity, 2 ** 53, 2 ** 31, '', 'abort', '\ud800', '%%%', 'x'.repeat(2000), Symbol('s'), Symbol.iterator, 1n, -(2n ** 70n),
      {}, [], [[]], [1, 2], [['a', 'b']], () => {}, () => { throw 'called' }, class A {}, thrower, revoked.proxy, revokedFunction.proxy, detached, detachedView, detached.buffer, bad, [bad],
      { length: 2 ** 53 - 1 }, { length: -1, 0: 1 }, Object.create(null), new Uint8Array([1, 2, 255]), new DataView(new ArrayBuffer(4)), new ArrayBuffer(3), new Date(NaN), /x/g, new Map([[1, 2]]), new Set(['a']),
      Promise.resolve(1), new Error('e'), { signal: null, type: 'bytes', mode: 'byob', size: 1, highWaterMark: -1 }, { __proto__: thrower }, globalThis, new Proxy([], {}),
    ];
    for (const each of ['AbortController', 'Blob', 'EventTarget', 'FormData', 'Headers', 'ReadableStream', 'WritableStream', 'TransformStream', 'MessageChannel']) pool.push(new globalThis[each]());
    pool.push(new Event('x'), new AbortController().signal, new ReadableStream({ type: 'bytes' }), new ReadableStream().getReader(), new WritableStream().getWriter(), new MessageChannel().port1, new DOMException('m'));
    pool.push(new Response('body'), new Request('about:blank', { method: 'POST', body: new Blob(['body']) }));
    return pool;
  };
  const is = (value, constructor) => { try { return value instanceof constructor } catch { return false } };
  const allowed = new Set(['trap', 'called', 'iterator', 'then', 'length', 'toString', 'valueOf']);
  const mistakes = new Set();
  const note = (where, error) => {
    if (error === thrower || error === revoked.proxy || error === revokedFunction.proxy) return;
    if (typeof error === 'string' && allowed.has(error)) return;
    if (is(error, DOMException) || error === undefined || typeof error !== 'object' && typeof error !== 'function' || error === null) return;
    const message = String(error.message);
    if (is(error, SyntaxError) && where.endsWith('.json')) return; // of a body that is no JSON
    if (!(is(error, TypeError) || is(error, RangeError) || is(error, Error) && error.name === 'Error')) mistakes.add(where + ': ' + error.name + ': ' + message);
    else if (/Cannot read prop|Cannot set prop|is not defined|Cannot destructure|before initialization|private (member|field)|Cannot write private|undefined is not|null is not|Cannot convert undefined|Method .* called on incompatible/.test(message)) mistakes.add(where + ': ' + message);
  };
  const attempt = (where, steps) => {
    let value;
    try { value = steps() } catch (error) { note(where, error); return }
    if (is(value, Promise)) value.then(undefined, (error) => note(where, error));
    return value;
  };
  const C = globalThis[name];
  const instances = [];
  const pool = make();
  for (const a of pool) {
    for (const args of [[a], [a, 'x'], [a, a], ['x', a], [[], a], [[], 'n', a], [undefined, a]]) {
      const made = attempt('new ' + name, () => Reflect.construct(C, args));
      if (made !== undefined && instances.length < 3 && a !== undefined) instances.push(made);
    }
  }
  attempt('new ' + name, () => instances.push(new C()));
  const members = (object) => Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]);
  for (const [object, receivers] of [[C, [C, undefined, thrower]], [C.prototype ?? { [name]: C }, [...instances, ...pool.filter((v) => is(v, C)), C.prototype, {}, null, thrower, revoked.proxy]]]) {
    for (const [key, d] of members(object)) {
      if (key === 'constructor' || key === 'prototype') continue;
      const where = name + '.' + String(key);
      for (const receiver of receivers) {
        if (d.get) attempt(where, () => Reflect.apply(d.get, receiver, []));
        for (const a of d.set || typeof d.value === 'function' ? pool : []) {
          if (d.set) attempt(where, () => Reflect.apply(d.set, receiver, [a]));
          if (typeof d.value === 'function') for (const args of [[], [a], [a, a], ['x', a]]) attempt(where, () => Reflect.apply(d.value, receiver, args));
        }
      }
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 1));
  // What the walk has left behind does not show.
  const blob = new Blob(['ok']);
  mistakes.add([structuredClone({ a: [1] }).a[0], await blob.text(), new Headers({ a: 'b' }).get('a'), new Event('x').type].join());
  return [...mistakes];
}`

func TestHostileArguments(t *testing.T) {
	for _, part := range runtime.Parts() {
		if !strings.HasPrefix(part.Files[0], "web/") {
			continue // those of the language: language_hostile_test.go
		}
		for _, global := range part.Globals {
			t.Run(global, func(t *testing.T) {
				input, err := json.Marshal(global)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(`["1,ok,b,x"]`, value(t, walk, withInput(string(input)))); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

// The walk itself notices a member that does not check what it is given.
func TestHostileWalkNoticesMistakes(t *testing.T) {
	source := "globalThis.Broken = class { read(x) { return x.a.b } };" + walk
	want := `["Broken.read: Cannot read properties of undefined (reading 'a')","Broken.read: Cannot read properties of undefined (reading 'b')","Broken.read: Cannot read properties of null (reading 'a')","1,ok,b,x"]`
	if diff := cmp.Diff(want, value(t, source, withInput(`"Broken"`))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
