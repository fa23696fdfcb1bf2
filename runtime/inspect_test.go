package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of how values are shown, in the manner of Node's
// util.inspect.

func TestInspect(t *testing.T) {
	cases := []struct{ expression, want string }{
		{`'it is'`, `'it is'`},
		{`"it's"`, `"it's"`},
		{`'both \' and "'`, "`both ' and \"`"},
		{"'all \\' \" `'", "'all \\' \" `'"},
		{`'a\n\x1b\u2028"\ud800'`, `'a\n\x1B` + "\u2028" + `"\uD800'`},
		{`[undefined, null, true, 1.5, NaN, -0, 10n]`, `[ undefined, null, true, 1.5, NaN, -0, 10n ]`},
		{`[1, , 3, , ,]`, `[ 1, <1 empty item>, 3, <2 empty items> ]`},
		{`new Array(2 ** 32 - 1)`, `[ <4294967295 empty items> ]`},
		{`(() => { const a = []; a[1e9] = 1; return a })()`, `[ <1000000000 empty items>, 1 ]`},
		{`Object.assign([1], { x: 2 })`, `[ 1, x: 2 ]`},
		{`[[], {}, [[[]]]]`, `[ [], {}, [ [ [] ] ] ]`},
		{`{ a: 1, 'a-b': 2, 3: 4, __proto__: null }`, `[Object: null prototype] { '3': 4, a: 1, 'a-b': 2 }`},
		{`JSON.parse('{"__proto__": 1}')`, `{ ['__proto__']: 1 }`},
		{`{ [Symbol('s')]: 1, [Symbol()]: 2 }`, `{ [Symbol(s)]: 1, [Symbol()]: 2 }`},
		{`{ get a() { throw 1 }, set b(v) {}, get c() { throw 1 }, set c(v) {} }`, `{ a: [Getter], b: [Setter], c: [Getter/Setter] }`},
		{`Object.defineProperty({}, 'hidden', { value: 1 })`, `{}`},
		{`{ a: { b: { c: { d: { e: { f: 1 } } } } } }`, "{\n  a: {\n    b: {\n      c: { d: { e: [Object] } }\n    }\n  }\n}"},
		{`{ a: { b: { c: { d: { e: [1] } } } } }`, "{\n  a: {\n    b: {\n      c: { d: { e: [Array] } }\n    }\n  }\n}"},
		{`new (class Foo { constructor() { this.a = 1 } })`, `Foo { a: 1 }`},
		{`new (class Foo extends Map {})([[1, { a: 'b' }]])`, `Foo(1) [Map] { 1 => { a: 'b' } }`},
		{`new (class List extends Array {})(1, 2)`, `List(2) [ 1, 2 ]`},
		{`new (class extends Date {})(0)`, `1970-01-01T00:00:00.000Z`},
		{`new (class When extends Date {})(0)`, `When 1970-01-01T00:00:00.000Z`},
		{`Object.create({ constructor: Date })`, `{}`},
		{`Object.assign(Object.create({ [Symbol.toStringTag]: 'T' }), { a: 1 })`, `Object [T] { a: 1 }`},
		{`new (class X { get [Symbol.toStringTag]() { throw 1 } })`, `X {}`},
		{`new Map([['k', new Set([1, 'v'])], [{}, []]])`, `Map(2) { 'k' => Set(2) { 1, 'v' }, {} => [] }`},
		{`[new Map(), new Set(), new WeakMap(), new WeakSet(), Promise.resolve()]`, "[\n  Map(0) {},\n  Set(0) {},\n  WeakMap { <items unknown> },\n  WeakSet { <items unknown> },\n  Promise { <state unknown> }\n]"},
		{`[new Date(0), new Date(NaN), /a\/b/gi, Object.assign(/x/, { y: 1 })]`, `[ 1970-01-01T00:00:00.000Z, Invalid Date, /a\/b/gi, /x/ { y: 1 } ]`},
		{`[new Number(-0), new String('s'), new Boolean(true), Object(1n), Object(Symbol('q'))]`, "[\n  [Number: -0],\n  [String: 's'],\n  [Boolean: true],\n  [BigInt: 1n],\n  [Symbol: Symbol(q)]\n]"},
		{`[new Uint8Array(2), new Float64Array([1.5]), new BigInt64Array(1)]`, `[ Uint8Array(2) [ 0, 0 ], Float64Array(1) [ 1.5 ], BigInt64Array(1) [ 0n ] ]`},
		{`new Uint8Array([1, 171]).buffer`, `ArrayBuffer { [Uint8Contents]: <01 ab>, byteLength: 2 }`},
		{`new DataView(new ArrayBuffer(2), 1)`, "DataView {\n  byteLength: 1,\n  byteOffset: 1,\n  buffer: ArrayBuffer { [Uint8Contents]: <00 00>, byteLength: 2 }\n}"},
		{`[() => 1, function f() {}, async () => 1, function* g() {}, async function* h() {}, Object.assign(() => 1, { a: 1 })]`,
			"[\n  [Function (anonymous)],\n  [Function: f],\n  [AsyncFunction (anonymous)],\n  [GeneratorFunction: g],\n  [AsyncGeneratorFunction: h],\n  [Function (anonymous)] { a: 1 }\n]"},
		{`[class {}, class A {}, class B extends Map {}, class { static x = 1 }]`, "[\n  [class (anonymous)],\n  [class A],\n  [class B extends Map],\n  [class (anonymous)] { x: 1 }\n]"},
		{`[Symbol('a'), Symbol(), Symbol.iterator]`, `[ Symbol(a), Symbol(), Symbol(Symbol.iterator) ]`},
		{`(function () { return arguments })(1, 'a')`, `[Arguments] { '0': 1, '1': 'a' }`},
		{`(function* () {})()`, `Object [Generator] {}`},
		{`Math`, `Object [Math] {}`},
		{`(() => { const o = { name: 'o' }; o.self = o; o.list = [o, { o }]; return o })()`, "<ref *1> {\n  name: 'o',\n  self: [Circular *1],\n  list: [ [Circular *1], { o: [Circular *1] } ]\n}"},
		{`(() => { const s = {}; return [s, s] })()`, `[ {}, {} ]`},
		{`Array.from({ length: 8 }, (_, i) => i * i)`, "[ 0, 1, 4, 9, 16, 25, 36, 49 ]"},
		{`Array.from({ length: 102 }, (_, i) => i % 10)`, "[\n" +
			"  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,\n  6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1,\n" +
			"  2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7,\n  8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3,\n" +
			"  4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,\n  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5,\n" +
			"  6, 7, 8, 9,\n  ... 2 more items\n]"},
		{`['apple', 'banana', 'cherry', 'date', 'elderberry', 'fig', 'grapefruit', 'honeydew melon', 'kiwi']`,
			"[\n  'apple',          'banana',         'cherry',         'date',\n  'elderberry',     'fig',            'grapefruit',     'honeydew melon',\n  'kiwi'\n]"},
		{`[{ id: 1, name: 'first' }, { id: 2, name: 'second' }, { id: 3, name: 'third' }]`,
			"[\n  { id: 1, name: 'first' },\n  { id: 2, name: 'second' },\n  { id: 3, name: 'third' }\n]"},
		{`['x'.repeat(10001)]`, "[\n  '" + repeat("x", 10000) + "'... 1 more character\n]"},
		{`new Proxy({ a: 1 }, {})`, `{ a: 1 }`},
		{`new Proxy([1], {})`, `[ 1 ]`},
		{`new Proxy(function f() {}, {})`, `[Function: f]`},
		{`[new Proxy({}, { ownKeys() { throw 1 } }), (() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()]`,
			`[ <an object that cannot be shown>, <an object that cannot be shown> ]`},
		{`new Proxy([], { getOwnPropertyDescriptor: (t, k) => k === 'length' ? { value: { valueOf() { throw 1 } }, writable: true } : undefined })`, `[]`},
		{`Object.create(Map.prototype)`, `Map {}`},
	}
	for _, c := range cases {
		t.Run(c.expression, func(t *testing.T) {
			if diff := cmp.Diff(c.want, logged(t, "console.dir(("+c.expression+"))")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestInspectErrors(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"an error", "console.log(new Error('boom'))", "Error: boom\n    at program:2:13"},
		{"in an object", "console.log({ e: new RangeError('r') })", "{\n  e: RangeError: r\n      at program:2:18\n}"},
		{"with properties", "console.log(Object.assign(new Error('m'), { code: 'E1', stack: 'Error: m\\n    at f (p:1:2)' }))", "Error: m\n    at f (p:1:2) {\n  code: 'E1'\n}"},
		{"with a cause", "const cause = new TypeError('inner'); cause.stack = ''; const e = new Error('outer', { cause }); e.stack = ''; console.log(e)", "[Error: outer] { [cause]: [TypeError: inner] }"},
		{"with a cause that is a value", "const e = new Error('outer', { cause: { a: 1 } }); e.stack = ''; console.log(e)", "[Error: outer] { [cause]: { a: 1 } }"},
		{"with errors", "const e = new AggregateError([1, 2], 'all'); e.stack = ''; console.log(e)", "[AggregateError: all] { [errors]: [ 1, 2 ] }"},
		{"that is its own cause", "const e = new Error('me'); e.stack = ''; e.cause = e; console.log(e)", "<ref *1> [Error: me] { cause: [Circular *1] }"},
		{"without a message", "const e = new Error(); e.stack = ''; console.log(e)", "[Error]"},
		{"of a class without a name", "class NoMoney extends Error {} const e = new NoMoney('x'); e.stack = ''; console.log(e)", "[NoMoney: x]"},
		{"of a class with a name", "class NoMoney extends Error { name = 'Broke' } const e = new NoMoney('x'); e.stack = ''; console.log(e)", "[Broke: x]"},
		{"with a stack of its own making", "const e = new Error('m'); e.stack = 'somewhere'; console.log(e)", "somewhere"},
		{"with getters", "const e = new Error('m'); Object.defineProperty(e, 'stack', { get() { throw 1 } }); Object.defineProperty(e, 'message', { get() { throw 1 } }); console.log(e)", "[Error]"},
		{"made by hand", "function Old(m) { this.message = m } Old.prototype = Object.create(Error.prototype, { name: { value: 'Old' } }); console.log(new Old('m'))", "[Old: m]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, logged(t, c.body)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Looking at a proxy runs the traps for its prototype, keys and descriptors,
// and never those that a program would take for an access.
func TestInspectRunsNoTrapsThatCanBeAvoided(t *testing.T) {
	const program = `async () => {
  const seen = new Set();
  const handler = new Proxy({}, { get(_, trap) { return (...args) => { seen.add(trap); return Reflect[trap](...args) } } });
  for (const target of [{ a: 1 }, [1, 2], function f() {}, class A {}, new Map(), new Error('e'), new (class B {})]) {
    const p = new Proxy(target, handler);
    console.log(p, [p], { p });
    console.log('%o %O %d %i %f %c', p, p, p, p, p, p);
    console.table([p]);
    console.dir(p);
  }
  return [...seen].sort();
}`
	if got, want := value(t, program), `["getOwnPropertyDescriptor","getPrototypeOf","ownKeys"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
