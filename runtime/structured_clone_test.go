package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of structuredClone.

func TestStructuredClone(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"primitives", `() => [undefined, null, true, -0, NaN, 'a\ud800', 5n].map((v) => Object.is(structuredClone(v), v))`, `[true,true,true,true,true,true,true]`},
		{"plain objects and arrays", `() => { const o = { a: 1, b: { c: [1, , 3] } }; const c = structuredClone(o); return [c, c !== o, c.b !== o.b, 1 in c.b.c, c.b.c.length, Object.getPrototypeOf(c) === Object.prototype] }`,
			`[{"a":1,"b":{"c":[1,{"$":"hole"},3]}},true,true,false,3,true]`},
		{"circles and what is the same", `() => { const o = { list: [] }; o.self = o; o.list.push(o.list, o); const c = structuredClone(o); return [c.self === c, c.list[0] === c.list, c.list[1] === c] }`, `[true,true,true]`},
		{"what an array has besides", `() => { const a = [1]; a.extra = 'x'; a.length = 3; const c = structuredClone(a); return [c.extra, c.length, Object.keys(c)] }`, `["x",3,["0","extra"]]`},
		{"objects around primitives", `() => [new Boolean(false), new Number(-0), new String('s'), Object(7n)].map((v) => { const c = structuredClone(v); return [c !== v, typeof c, Object.is(c.valueOf(), v.valueOf())] })`,
			`[[true,"object",true],[true,"object",true],[true,"object",true],[true,"object",true]]`},
		{"dates and expressions", `() => { const r = /a\/b/gi; r.lastIndex = 3; const c = structuredClone([new Date(5), new Date(NaN), r]); return [c[0].getTime(), isNaN(c[1]), String(c[2]), c[2].lastIndex] }`, `[5,true,"/a\\/b/gi",0]`},
		{"maps and sets", `() => { const k = {}; const c = structuredClone(new Map([[k, new Set([k, 1])]])); const [key] = c.keys(); return [c.size, key !== k, c.get(key).has(key), c.get(key).size] }`, `[1,true,true,2]`},
		{"errors", `() => { class MyError extends Error { name = 'MyError' } const e = new RangeError('r', { cause: new TypeError('t') }); e.extra = 1; const c = structuredClone(e), m = structuredClone(new MyError('m'));
  return [c.name, c.message, c.cause instanceof TypeError, c.cause.message, 'extra' in c, c.stack === e.stack, c instanceof RangeError, m.constructor.name, Object.hasOwn(structuredClone(new Error()), 'message'), structuredClone(new AggregateError([1], 'a')).constructor.name] }`,
			`["RangeError","r",true,"t",false,true,true,"Error",false,"Error"]`},
		{"exceptions", `() => { const e = structuredClone(new DOMException('m', 'AbortError')), q = structuredClone(new QuotaExceededError('q', { quota: 5 })); return [e instanceof DOMException, e.name, e.message, e.code, q.constructor.name, q.quota] }`, `[true,"AbortError","m",20,"QuotaExceededError",5]`},
		{"bytes", `() => { const b = new Uint8Array([1, 2, 3, 4]).buffer; const c = structuredClone({ b, u: new Uint16Array(b, 2), d: new DataView(b, 1, 2) });
  return [[...new Uint8Array(c.b)], c.b !== b, c.u.buffer === c.b, c.u.constructor.name, c.u.byteOffset, c.u.length, c.d.buffer === c.b, c.d.byteLength, [...structuredClone(new BigInt64Array([5n]))]] }`,
			`[[1,2,3,4],true,true,"Uint16Array",2,1,true,2,[{"$":"bigint","v":"5"}]]`},
		{"getters run once, in order", `() => { const seen = []; const c = structuredClone({ get a() { seen.push('a'); delete this.b; return 1 }, b: 2, get c() { seen.push('c'); return { get d() { seen.push('d'); return 4 } } } }); return [c, seen] }`,
			`[{"a":1,"c":{"d":4}},["a","c","d"]]`},
		{"classes become plain", `() => { class A { x = 1; #y = 2; get z() { return 3 } } const c = structuredClone(new A()); return [c, c.constructor === Object] }`, `[{"x":1},true]`},
		{"keys with a meaning", `() => { const c = structuredClone(JSON.parse('{"__proto__": 1, "constructor": 2}')); return [Object.keys(c), Object.getPrototypeOf(c) === Object.prototype] }`, `[["__proto__","constructor"],true]`},
		{"setters are not called", `() => { let n = 0; Object.defineProperty(Object.prototype, 'a', { set() { n++ }, configurable: true }); Object.defineProperty(Array.prototype, 0, { set() { n++ }, configurable: true });
  const c = structuredClone(JSON.parse('{"a":[1]}')); return [n, Object.hasOwn(c, 'a'), c.a[0]] }`, `[0,true,1]`},
		{"files", `async () => { const f = structuredClone(new File(['abc'], 'n', { type: 'a/b', lastModified: 7 })), b = structuredClone(new Blob(['x'])); return [f instanceof File, f.name, f.type, f.lastModified, await f.text(), b instanceof File, await b.text()] }`, `[true,"n","a/b",7,"abc",false,"x"]`},
		{"no trap of a proxy among the prototypes", `() => { let n = 0; const p = new Proxy({}, { getPrototypeOf() { n++; return null }, get() { n++ }, ownKeys() { n++; return [] } }); return [structuredClone(Object.create(p, { a: { value: 1, enumerable: true } })), n] }`, `[{"a":1},0]`},
		{"objects that look like others", `() => [Promise, WeakMap, Map, Error, Date, Uint8Array].map((c) => structuredClone(Object.assign(Object.create(c.prototype), { a: 1 })))`, `[{"a":1},{"a":1},{"a":1},{"a":1},{"a":1},{"a":1}]`},
		{"prototypes that were cut off", `async () => { const cut = (v) => Object.setPrototypeOf(v, null); const [m, d, b, e] = structuredClone([cut(new Map([[1, 2]])), cut(new Date(3)), cut(new Blob(['x'])), cut(new DOMException('m', 'AbortError'))]); return [m.get(1), d.getTime(), await b.text(), e.name] }`, `[2,3,"x","AbortError"]`},
		{"arguments", `() => (function () { return structuredClone(arguments) })(1, 2)`, `{"0":1,"1":2}`},
		{"without arguments", `() => { try { structuredClone() } catch (e) { return [e.name, structuredClone.length] } }`, `["TypeError",1]`},
		{"options", `() => [() => structuredClone(1, null), () => structuredClone(1, {}), () => structuredClone(1, 1), () => structuredClone(1, { transfer: null }), () => structuredClone(1, { transfer: [1] })].map((f) => { try { return f() } catch (e) { return e.name } })`,
			`[1,1,"TypeError","TypeError","TypeError"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestStructuredCloneRefuses(t *testing.T) {
	cases := []struct{ source, want string }{
		{"function f() {}", "the function f cannot be cloned"},
		{"() => {}", "the function v cannot be cloned"},
		{"[() => {}][0]", "a function cannot be cloned"},
		{"class A {}", "the function A cannot be cloned"},
		{"Symbol('s')", "Symbol(s) cannot be cloned"},
		{"Object(Symbol())", "an instance of Symbol cannot be cloned"},
		{"new Proxy({}, {})", "a Proxy cannot be cloned"},
		{"new Proxy([], {})", "a Proxy cannot be cloned"},
		{"Promise.resolve()", "a Promise cannot be cloned"},
		{"new WeakMap()", "an instance of WeakMap cannot be cloned"},
		{"new WeakSet()", "an instance of WeakSet cannot be cloned"},
		{"new WeakRef({})", "an instance of WeakRef cannot be cloned"},
		{"(function* () {})()", "a generator object cannot be cloned"},
		{"(async function* () {})()", "a generator object cannot be cloned"},
		{"new Map().entries()", "an iterator cannot be cloned"},
		{"[].values()", "an instance of Iterator cannot be cloned"},
		{"new Intl.NumberFormat()", "an instance of Intl.NumberFormat cannot be cloned"},
		{"new FinalizationRegistry(() => {})", "an instance of FinalizationRegistry cannot be cloned"},
		{"new AbortController()", "an instance of AbortController cannot be cloned"},
		{"new EventTarget()", "an instance of EventTarget cannot be cloned"},
		{"new Headers()", "an instance of Headers cannot be cloned"},
		{"new Request('a:')", "an instance of Request cannot be cloned"},
		{"new Response('x')", "an instance of Response cannot be cloned"},
		{"performance", "an instance of Performance cannot be cloned"},
		{"new ReadableStream()", "an instance of ReadableStream cannot be cloned"},
	}
	for _, c := range cases {
		for _, form := range []string{"v", "{ a: v }", "[v]", "new Map([[1, v]])", "new Set([v])", "new Error('', { cause: v })"} {
			source := "() => { const v = " + c.source + "; try { structuredClone(" + form + ") } catch (e) { return [e.constructor.name, e.name, e.code, e.message] } }"
			want := `["DOMException","DataCloneError",25,"` + c.want + `"]`
			if got := value(t, source); got != want {
				t.Errorf("%s of %s: %s, want %s", form, c.source, got, want)
			}
		}
	}
}

func TestStructuredCloneTransfers(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"a buffer", `() => { const b = new Uint8Array([1, 2]).buffer, v = new Uint8Array(b, 1); const c = structuredClone({ b, v, again: b }, { transfer: [b] });
  return [b.byteLength, v.length, [...new Uint8Array(c.b)], c.v.buffer === c.b, [...c.v], c.again === c.b] }`, `[0,0,[1,2],true,[2],true]`},
		{"a buffer that the value has not", `() => { const b = new ArrayBuffer(4); structuredClone(1, { transfer: new Set([b]) }); return b.byteLength }`, `0`},
		{"twice the same", `() => { const b = new ArrayBuffer(4); try { structuredClone(b, { transfer: [b, b] }) } catch (e) { return [e.name, b.byteLength] } }`, `["DataCloneError",4]`},
		{"detached already", `() => { const b = new ArrayBuffer(4); structuredClone(b, { transfer: [b] }); return [() => structuredClone(b), () => structuredClone(1, { transfer: [b] }), () => structuredClone(new Uint8Array(b))].map((f) => { try { f() } catch (e) { return e.name } }).join() }`,
			`"DataCloneError,DataCloneError,TypeError"`},
		{"detached meanwhile", `() => { const b = new ArrayBuffer(4), other = new ArrayBuffer(8); const v = { get x() { structuredClone(b, { transfer: [b] }); return 1 } };
  try { structuredClone(v, { transfer: [other, b] }) } catch (e) { return [e.name, other.byteLength] } }`, `["DataCloneError",8]`},
		{"nothing is detached when the value cannot be cloned", `() => { const b = new ArrayBuffer(4); try { structuredClone({ b, f() {} }, { transfer: [b] }) } catch (e) { return [e.name, b.byteLength] } }`, `["DataCloneError",4]`},
		{"what cannot be transferred", `() => [{}, new Uint8Array(1), new Blob(), new Proxy(new ArrayBuffer(1), {})].map((v) => { try { structuredClone(1, { transfer: [v] }) } catch (e) { return e.message } })`,
			`["structuredClone: an instance of Object cannot be transferred","structuredClone: an instance of Uint8Array cannot be transferred","structuredClone: an instance of Blob cannot be transferred","structuredClone: a Proxy cannot be transferred"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A value that is too deep is an error that can be caught, and changes nothing.
func TestStructuredCloneOfDeepValues(t *testing.T) {
	source := `() => {
  const nest = (n, wrap) => { let v = 1; for (let i = 0; i < n; i++) v = wrap(v); return v };
  const out = [];
  for (const wrap of [(v) => [v], (v) => ({ v }), (v) => new Map([[v, 1]]), (v) => new Set([v]), (v) => new Error('', { cause: v })]) {
    structuredClone(nest(500, wrap));
    try { structuredClone(nest(100000, wrap)); out.push('none') } catch (e) { out.push(e.name) }
  }
  return out;
}`
	if got, want := value(t, source), `["RangeError","RangeError","RangeError","RangeError","RangeError"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What a module exports is an exotic object, which cannot be cloned.
func TestStructuredCloneOfModules(t *testing.T) {
	source := "import * as all from 'all';\nlet name; try { structuredClone(all) } catch (e) { name = [e.name, e.message] }\nexport default name"
	want := `["DataCloneError","a module namespace object cannot be cloned"]`
	if got := value(t, source, withModule("all", "export const a = 1"), asModule); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
