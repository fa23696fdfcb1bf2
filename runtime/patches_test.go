package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests that a guest cannot reach into the runtime by
// patching what the language has. Each runs the same work with and without
// patches: all that the host sees must be the same, and nothing of the guest's
// may have been called.

// work uses everything that the runtime offers. What it needs itself it makes in
// prepare, before any patch; use then depends on syntax only. It returns what it
// saw; "touched" is where patches note that they were called.
const work = `
function prepare() {
  const error = new TypeError('bad');
  error.extra = 1;
  error.stack = 'TypeError: bad\n    at f (p:1:2)';
  const shared = { s: 1 };
  return {
    seen: Array(20).fill(null), error,
    logged: ['text', { a: [1, 2, { b: 'c' }] }, new Map([[1, { k: 'v' }]]), new Set([1]), /x/g, new Date(0), [1.5, 2n, null], new Uint8Array([1])],
    nested: new (class Foo { constructor() { this.a = { b: { c: {} } } } }),
    sent: [{ x: [1, 'two', null, undefined, -0, 3n] }, new Map([['k', new Set([1])]]), new Date(5), /r/g, new Uint8Array([1, 2, 3]), error, [shared, shared]],
    echoed: { $: 1, list: [new Date(6), undefined, new Map([[1, 2]])] },
    log: console.log, warn: console.warn, Promise,
  };
}
async function use(data, touched, { console, setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask }) {
  const { seen, error, logged, sent, Promise } = data;
  let count = 0;
  const see = (value) => { seen[count++] = value };
  console.log(logged[0], logged[1], logged[2], logged[3], logged[4], logged[5], logged[6], logged[7]);
  console.log('%s %d %i %f %o %O %c%%', 'a', 1.5, 2.5, '3.5', { o: 1 }, [1], 'css', 'rest');
  console.table([{ a: 1 }, { a: 2 }]);
  console.dir(data.nested, { depth: 1 });
  console.group('g'); console.warn('in\nside'); console.groupEnd();
  console.count(); console.countReset(); console.assert(false, 'failed %s', 1); console.trace('trace');
  console.error(error, { error });
  see(await tools.args(sent[0], sent[1], sent[2], sent[3], sent[4], sent[5], sent[6]));
  see(await tools.echo(data.echoed));
  see(await new Promise((resolve, reject) => {
    setTimeout((a, b) => { resolve(a + b) }, 1, 'timer', 'args');
    clearTimeout(setTimeout(reject, 1));
  }));
  see(await new Promise((resolve) => {
    const id = setInterval(() => { clearInterval(id); resolve('interval') }, 1);
  }));
  see(await new Promise((resolve) => { queueMicrotask(() => { resolve('microtask') }) }));
  queueMicrotask(() => { throw 'thrown in a microtask' });
  try { await tools.fail({ name: 'HttpError', message: 'not found', fields: { status: 404 } }) } catch (e) { see(e) }
  try { await tools.args({ f() {} }) } catch (e) { see(e) }
  try { setTimeout('code') } catch (e) { see(e) }
  see(touched);
  return seen;
}
`

// patches are programs' beginnings: each defines patch(touched), to be called
// before the work.
var patches = []struct{ name, source string }{
	{"methods of every built-in", `
function patch(touched) {
  const { ownKeys, getOwnPropertyDescriptor, defineProperty, apply } = Reflect;
  const replace = (object, path) => {
    const keys = ownKeys(object);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      // What the language itself looks up in "await", in promises and in classes.
      if (key === 'constructor' || key === 'prototype' || key === Symbol.species) continue;
      const descriptor = getOwnPropertyDescriptor(object, key);
      if (!descriptor.configurable) continue;
      const name = path + '.' + (typeof key === 'symbol' ? 'symbol' : key);
      const spy = () => { touched[touched.length] = name; throw new Error(name) };
      if ('value' in descriptor && typeof descriptor.value === 'function') defineProperty(object, key, { value: spy });
      else if (descriptor.get !== undefined) defineProperty(object, key, { get: spy, set: spy });
    }
  };
  const all = [
    Object.prototype, 'Object.prototype', Array, 'Array', Array.prototype, 'Array.prototype', Map.prototype, 'Map.prototype',
    Set.prototype, 'Set.prototype', WeakMap.prototype, 'WeakMap.prototype', WeakSet.prototype, 'WeakSet.prototype',
    Promise, 'Promise', Promise.prototype, 'Promise.prototype', String, 'String', String.prototype, 'String.prototype',
    RegExp.prototype, 'RegExp.prototype', Number, 'Number', Number.prototype, 'Number.prototype', Symbol.prototype, 'Symbol.prototype',
    BigInt.prototype, 'BigInt.prototype', Boolean.prototype, 'Boolean.prototype', Date, 'Date', Date.prototype, 'Date.prototype',
    Error, 'Error', Error.prototype, 'Error.prototype', TypeError.prototype, 'TypeError.prototype', JSON, 'JSON', Math, 'Math',
    ArrayBuffer, 'ArrayBuffer', ArrayBuffer.prototype, 'ArrayBuffer.prototype', DataView.prototype, 'DataView.prototype',
    Object.getPrototypeOf(Uint8Array), 'TypedArray', Object.getPrototypeOf(Uint8Array.prototype), 'TypedArray.prototype',
    Uint8Array.prototype, 'Uint8Array.prototype', Object.getPrototypeOf([].values()), 'ArrayIterator',
    Object.getPrototypeOf(new Map().values()), 'MapIterator', Object.getPrototypeOf(new Set().values()), 'SetIterator',
    Object.getPrototypeOf(Object.getPrototypeOf([].values())), 'Iterator', Function.prototype, 'Function.prototype',
    Reflect, 'Reflect', Object, 'Object',
  ];
  const names = all.length;
  for (let i = 0; i < names; i += 2) replace(all[i], all[i + 1]);
}`},
	{"accessors that catch what is set and read", `
function patch(touched) {
  const { defineProperty } = Object;
  const names = [
    'get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'done', 'kind', 'what', 'path', 'where', 'length', '$', 'id', 'v',
    'ok', 'error', 'fields', 'cause', 'tools', 'limits', 'result', 'argument', 'text', 'texts', 'count', 'height', 'level', 'resolve',
    'reject', 'callback', 'args', 'repeat', 'href', 'index', 'depth', 'size', 'host', 'type', 'source', 'flags', 'causes', 'overflow',
  ];
  for (let i = 0; i < 40; i++) names[names.length] = '' + i;
  const objects = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype, Map.prototype, Promise.prototype];
  const list = names.length;
  for (let i = 0; i < list; i++) {
    const name = names[i];
    for (let j = 0; j < 7; j++) {
      // Own names of the prototypes stay: the guest's work itself uses them.
      if (Object.hasOwn(objects[j], name)) continue;
      defineProperty(objects[j], name, {
        __proto__: null, configurable: true,
        get() { note('get ' + name) },
        set(value) { note('set ' + name); defineProperty(this, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true }) },
      });
    }
  }
  let notes = 0;
  const note = (what) => { defineProperty(touched, notes++, { __proto__: null, value: what, enumerable: true }) };
}`},
	{"every global", `
function patch(touched) {
  const { Object } = globalThis;
  const { defineProperty, getOwnPropertyNames } = Object;
  const global = globalThis;
  let patched = 0;
  for (const name of getOwnPropertyNames(global)) {
    if (!Object.getOwnPropertyDescriptor(global, name).configurable) continue;
    const note = () => { touched[touched.length] = name };
    defineProperty(global, name, { configurable: true, get: note, set: note });
    patched++;
  }
  if (patched < 50) touched[0] = 'too few are patched';
}`},
	{"species and the class of promises", `
function patch(touched) {
  class Fake { constructor(executor) { touched[touched.length] = 'species'; executor(() => {}, () => {}) } }
  Object.defineProperty(Promise, Symbol.species, { get() { touched[touched.length] = 'Promise'; return Fake } });
  Object.defineProperty(Array, Symbol.species, { get() { touched[touched.length] = 'Array'; return Fake } });
  Object.defineProperty(ArrayBuffer, Symbol.species, { get() { touched[touched.length] = 'ArrayBuffer'; return Fake } });
}`},
	{"symbols that the language asks", `
function patch(touched) {
  const ask = [Symbol.toPrimitive, Symbol.isConcatSpreadable, Symbol.split, Symbol.replace, Symbol.match, Symbol.matchAll, Symbol.search, Symbol.unscopables];
  for (const object of [Object.prototype, String.prototype, Array.prototype, Number.prototype]) {
    for (const symbol of ask) {
      Object.defineProperty(object, symbol, { configurable: true, get() { touched[touched.length] = String(symbol); return undefined } });
    }
  }
  for (const constructor of [Map, Set, Error, Array, Date, Promise]) {
    Object.defineProperty(constructor, Symbol.hasInstance, { value() { touched[touched.length] = 'hasInstance'; return true } });
  }
}`},
}

func TestPatchesChangeNothing(t *testing.T) {
	plain := "function patch() {}"
	program := func(patch string) string {
		return patch + work + `
async () => {
  const touched = [], data = prepare(), { console, setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask } = globalThis;
  patch(touched);
  return await use(data, touched, { console, setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask });
}`
	}
	unpatched, _ := run(t, program(plain))
	if unpatched.Fault != nil || len(unpatched.Logs) < 10 {
		t.Fatalf("%v, %d logs", unpatched.Fault, len(unpatched.Logs))
	}
	want := outcome(t, program(plain))
	for _, p := range patches {
		t.Run(p.name, func(t *testing.T) {
			if diff := cmp.Diff(want, outcome(t, program(p.source))); diff != "" {
				t.Errorf("-unpatched +patched:\n%s", diff)
			}
		})
	}
}

// outcome is all that the host sees of a run, without positions in the program
// and without times.
func outcome(t *testing.T, source string) []string {
	t.Helper()
	result, _ := run(t, source)
	var lines []string
	for _, entry := range result.Logs {
		lines = append(lines, string(entry.Level)+": "+withoutPositions(entry.Text))
	}
	if result.Fault != nil {
		return append(lines, "fault: "+result.Fault.Error())
	}
	return append(lines, withoutPositions(string(result.Value)))
}
