package runtime_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of the guest's codec: the vectors of the contract,
// and what only a guest can do.

// vector is one file of protocol/testdata/codec, see the README there.
type vector struct {
	Name      string  `json:"name"`
	JS        *string `json:"js"`
	Text      string  `json:"text"`
	Roundtrip bool    `json:"roundtrip"`
	Refused   bool    `json:"refused"`
	Strict    bool    `json:"strict"`
}

// deepEqual compares two values, with the identities in them, by their data
// alone: it shares no code with the codec.
const deepEqual = `
const pairs = new Map();
const tag = (v) => Object.prototype.toString.call(v).slice(8, -1);
function equal(a, b) {
  if (typeof a !== 'object' || a === null) return Object.is(a, b);
  if (typeof b !== 'object' || b === null) return false;
  if (pairs.has(a)) return pairs.get(a) === b;
  pairs.set(a, b);
  if (tag(a) !== tag(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (tag(a) === 'Date') return Object.is(a.getTime(), b.getTime());
  if (tag(a) === 'RegExp') return String(a) === String(b);
  if (tag(a) === 'Map' || tag(a) === 'Set') return equal([...a], [...b]);
  if (ArrayBuffer.isView(a)) {
    return equal([...new Uint8Array(a.buffer, a.byteOffset, a.byteLength)], [...new Uint8Array(b.buffer, b.byteOffset, b.byteLength)]);
  }
  if (tag(a) === 'ArrayBuffer') return equal([...new Uint8Array(a)], [...new Uint8Array(b)]);
  const keys = Reflect.ownKeys(a);
  if (keys.length !== Reflect.ownKeys(b).length) return false;
  if (tag(a) !== 'Error' && keys.some((key, i) => key !== Reflect.ownKeys(b)[i])) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}
`

func vectors(t *testing.T) []vector {
	t.Helper()
	names, err := filepath.Glob("../protocol/testdata/codec/*.json")
	if err != nil || len(names) < 50 {
		t.Fatalf("%d vectors: %v", len(names), err)
	}
	all := make([]vector, len(names))
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return all
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			if v.Refused {
				if v.Strict || v.Text == "" {
					return // a reader behind a checking one may accept it; no text is no input
				}
				result, _ := run(t, "(v) => v", withInput(v.Text))
				if fault, ok := result.Fault.(*protocol.Thrown); !ok || fault.Name != "TypeError" && fault.Name != "SyntaxError" {
					t.Errorf("%s is accepted as %s, with the fault %v", v.Text, result.Value, result.Fault)
				}
				return
			}
			// What is decoded encodes to the same text, also as a tool's reply.
			if v.Roundtrip {
				if got := orUndefined(value(t, "(v) => v", withInput(v.Text))); got != v.Text {
					t.Errorf("as input: want %s, got %s", v.Text, got)
				}
				if got := orUndefined(value(t, "async (v) => await tools.echo(v)", withInput(v.Text))); got != v.Text && !strings.Contains(v.Text, `"def"`) {
					t.Errorf("through a tool: want %s, got %s", v.Text, got)
				}
			}
			if v.JS == nil {
				return
			}
			if got := value(t, deepEqual+"(v) => equal(v, "+*v.JS+") && equal("+*v.JS+", v)", withInput(v.Text)); got != "true" {
				t.Errorf("%s does not decode to %s: %s", v.Text, *v.JS, got)
			}
			if v.Roundtrip {
				if got := orUndefined(value(t, "() => ("+*v.JS+")")); got != v.Text {
					t.Errorf("%s: want %s, got %s", *v.JS, v.Text, got)
				}
			}
		})
	}
}

// orUndefined is the codec text of a value that a result leaves out.
func orUndefined(text string) string {
	if text == "undefined" {
		return `{"$":"undefined"}`
	}
	return text
}

func TestEncode(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"toJSON of a class", "() => { class Money { toJSON(key) { return `${key}: 5 EUR` } } return { a: new Money, b: [new Money] } }",
			`{"a":"a: 5 EUR","b":["0: 5 EUR"]}`},
		{"toJSON at the root has the empty key", "() => ({ toJSON(key) { return [key] } })", `[""]`},
		{"toJSON that returns itself is asked once", "() => { const o = { n: 0, toJSON() { o.n++; return o } }; delete o.x; return Object.defineProperty(o, 'toJSON', { enumerable: false }) }", `{"n":1}`},
		{"toJSON of a date is not asked", "() => { Date.prototype.toJSON = () => 'no'; return new Date(0) }", `{"$":"date","v":0}`},
		{"toJSON may give a date", "() => ({ toJSON: () => new Date(1) })", `{"$":"date","v":1}`},
		{"toJSON that all objects have", "() => { Object.prototype.toJSON = function () { return 'mine' }; return { a: 1 } }", `"mine"`},
		{"inherited properties do not count", "() => Object.create({ a: 1 }, { b: { value: 2, enumerable: true }, c: { value: 3 } })", `{"b":2}`},
		{"no prototype", "() => Object.assign(Object.create(null), { a: 1 })", `{"a":1}`},
		{"symbol keys do not count", "() => ({ [Symbol('s')]: 1, a: 2 })", `{"a":2}`},
		{"wrapped primitives", "() => [new Number(1), new String('s'), new Boolean(false), Object(2n)]", `[1,"s",false,{"$":"bigint","v":"2"}]`},
		{"derived classes", "() => { class D extends Date {} class M extends Map {} class A extends Array {} return [new D(0), new M([[1, 2]]), A.of(1)] }",
			`[{"$":"date","v":0},{"$":"map","v":[[1,2]]},[1]]`},
		{"made to look like a date", "() => [Object.create(Date.prototype), Object.create(Map.prototype), Object.create(Uint8Array.prototype), { __proto__: RegExp.prototype, a: 1 }].map((v) => { v.toJSON = undefined; return v })",
			`[{"toJSON":{"$":"undefined"}},{"toJSON":{"$":"undefined"}},{"toJSON":{"$":"undefined"}},{"a":1,"toJSON":{"$":"undefined"}}]`},
		{"a tag says nothing", "() => Object.assign({ [Symbol.toStringTag]: 'Map' }, { a: 1 })", `{"a":1}`},
		{"getters run once, in order", "() => { let n = 0; const o = { get a() { return ++n }, get b() { return ++n } }; return [o, o] }",
			`[{"$":"def","id":1,"v":{"a":1,"b":2}},{"$":"ref","id":1}]`},
		{"a proxy of an object", "() => new Proxy({ a: 1 }, {})", `{"a":1}`},
		{"a proxy of an array", "() => new Proxy([1, 2], {})", `[1,2]`},
		{"a proxy that lies about its length", "() => new Proxy([1, 2], { get: (t, k) => k === 'length' ? { valueOf() { throw 1 } } : t[k] })", `[]`},
		{"a walk within a walk", "async () => { let inner; const v = { a: [1], get b() { inner = tools.args({ c: [2] }); return 3 }, d: 4 }; v.e = v.a; const seen = await tools.args(v); return [seen, await inner] }",
			`["[{\"a\":{\"$\":\"def\",\"id\":1,\"v\":[1]},\"b\":3,\"d\":4,\"e\":{\"$\":\"ref\",\"id\":1}}]","[{\"c\":[2]}]"]`},
		{"an error of its own kind", "() => { class NoMoney extends Error { name = 'NoMoney'; amount = 3 } const e = new NoMoney('short'); e.stack = ''; return e }",
			`{"$":"error","name":"NoMoney","message":"short","fields":{"amount":3}}`},
		{"an error that is no text", "() => { const e = new Error('x'); e.stack = 5; e.name = { toString() { throw 1 } }; e.message = 7; return e }",
			`{"$":"error","name":"Error","message":"7"}`},
		{"errors that are no list", "() => { const e = new AggregateError([]); e.stack = ''; Object.defineProperty(e, 'errors', { value: 1, enumerable: true }); return e }",
			`{"$":"error","name":"AggregateError","message":"","fields":{"errors":1}}`},
		{"a map that grows while it is read", "() => { const m = new Map(); m.set(0, { get a() { if (m.size < 3) m.set(m.size, this); return 1 } }); return m }",
			`{"$":"map","v":[[0,{"$":"def","id":1,"v":{"a":1}}],[1,{"$":"ref","id":1}]]}`},
		{"an array that shrinks while it is read", "() => { const a = [{ get x() { a.length = 1; return 1 } }, 2]; return a }", `[{"x":1},{"$":"hole"}]`},
		{"a view of a part", "() => new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2)", `{"$":"bytes","type":"DataView","v":"AgM="}`},
		{"the prototypes of built-ins", "() => [Date.prototype, RegExp.prototype, Map.prototype].map((p) => Object.keys(p).length)", `[0,0,0]`},
		{"a long string in many pieces", "() => Array.from({ length: 20000 }, (_, i) => 'piece ' + i).join(' ').length === 213889", "false"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A text of many pieces is the same as what JSON.stringify makes of plain data.
func TestPlainJSONStaysPlainJSON(t *testing.T) {
	const program = `async () => {
  const rows = [];
  for (let i = 0; i < 3000; i++) rows.push({ id: i, name: 'row "' + i + '"', ratio: i / 7, tags: ['a', '\u2028', null], more: { deep: [[i % 2 === 0]] }, ['key' + i]: '\ud800' });
  const text = await tools.args(rows);
  return [text.length > 300000, text === '[' + JSON.stringify(rows) + ']'];
}`
	if got := value(t, program); got != "[true,true]" {
		t.Error(got)
	}
}

// A walk within a walk that fails for want of stack leaves the outer one whole.
func TestEncodeWithoutStack(t *testing.T) {
	const program = `async () => {
  let failures = 0;
  const refused = { a: [() => 1] };
  // At every depth down to where nothing fits any more.
  const deep = () => { try { deep() } catch {} try { tools.args(refused).catch(() => {}) } catch { failures++ } };
  const v = { before: [1], get at() { try { deep() } catch {} return 'here' }, after: [2] };
  const text = await tools.args(v);
  return [text, failures > 0];
}`
	want := `["[{\"before\":[1],\"at\":\"here\",\"after\":[2]}]",true]`
	if got := value(t, program); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Long arrays, whose primitives are quoted in runs, have the text of their parts.
func TestLongArraysAreTheirParts(t *testing.T) {
	const program = `async () => {
  const shared = { s: 1 };
  const kinds = [(i) => i, (i) => 's"' + i, () => true, () => null, () => -0, () => NaN, () => undefined, (i) => BigInt(i), (i) => [i], () => 'x'.repeat(2000), () => '\ud800'];
  for (const length of [15, 16, 17, 255, 256, 257, 258, 512, 513, 2000]) {
    for (const dense of [true, false]) {
      const all = Array.from({ length }, (_, i) => dense || i % 3 ? i : kinds[(i * 7 + (i >> 3)) % kinds.length](i));
      const parts = [];
      for (let i = 0; i < length; i += 15) parts.push((await tools.args(all.slice(i, i + 15))).slice(2, -2));
      if (await tools.args(all) !== '[[' + parts.join(',') + ']]') return [length, dense];
    }
  }
  let calls = 0;
  const watched = Array(40).fill(1);
  for (const i of [0, 17, 39]) Object.defineProperty(watched, i, { get() { return ++calls }, enumerable: true });
  delete watched[20];
  const text = await tools.args(watched, shared, shared);
  const ones = (n) => Array(n).fill(1).join();
  return text === '[[' + [ones(17), 2, ones(2), '{"$":"hole"}', ones(18), 3].join() + '],{"$":"def","id":1,"v":{"s":1}},{"$":"ref","id":1}]' ? 'same' : text;
}`
	if got := value(t, program, withLimits(protocol.Limits{ToolCalls: 2000})); got != `"same"` {
		t.Error(got)
	}
}

func TestUnserializable(t *testing.T) {
	cases := []struct{ source, what, path string }{
		{"() => () => 1", "function", "$"},
		{"() => ({ a: [1, { cb() {} }] })", "function", "$.a[1].cb"},
		{"() => [Symbol('s')]", "symbol", "$[0]"},
		{"() => ({ a: Object(Symbol()) })", "symbol", "$.a"},
		{"() => ({ 'a b': Promise.resolve() })", "Promise", `$["a b"]`},
		{"() => [new WeakMap(), 1]", "WeakMap", "$[0]"},
		{"() => [1, new WeakSet()]", "WeakSet", "$[1]"},
		{"() => new WeakRef({})", "WeakRef", "$"},
		{"() => new Map([['k', 1], [{ f() {} }, 2]])", "function", "$[key 1].f"},
		{"() => new Map([['k', [() => 1]]])", "function", "$[value 0][0]"},
		{"() => new Set([1, [class {}]])", "function", "$[1][0]"},
		{"() => new Error('e', { cause: { f() {} } })", "function", "$.cause.f"},
		{"() => Object.assign(new Error('e'), { f() {} })", "function", "$.f"},
		{"() => new AggregateError([1, () => 1])", "function", "$.errors[1]"},
		{"() => [1].values()", "iterator", "$"},
		{"() => ({ g: (function* () {})() })", "iterator", "$.g"},
		{"() => [(async function* () {})()]", "iterator", "$[0]"},
		{"() => ({ f: new Intl.NumberFormat() })", "Intl.NumberFormat", "$.f"},
		{"() => ({ a: { get b() { throw new Error('no') } } })", "getter that throws", "$.a.b"},
		{"() => ({ a: [{ toJSON() { throw 1 } }] })", "toJSON that throws", "$.a[0]"},
		{"() => ({ a: [{ get toJSON() { throw 1 } }] })", "getter that throws", "$.a[0]"},
		{"() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy } }", "proxy that throws", "$.proxy"},
		{"() => [new Proxy({}, { ownKeys() { throw 1 } })]", "proxy that throws", "$[0]"},
		{"() => [new Proxy({}, { getPrototypeOf() { throw 1 } })]", "proxy that throws", "$[0]"},
		{"() => [new Proxy({ a: 1 }, { get() { throw 1 } })]", "getter that throws", "$[0]"},
		{"() => ({ a: 1, get b() { const f = () => f(); return f() } })", "getter that throws", "$.b"},
		{"() => { const a = []; let at = a; for (let i = 1; i < 1001; i++) { at.push([]); at = at[0] } return a }", "value nested deeper than 1000", "$…" + strings.Repeat("[0]", 333)},
		{"() => { const o = { toJSON() { return { o } } }; return o }", "value nested deeper than 1000", "$…" + strings.Repeat(".o", 500)},
		{"() => Array(300).fill(Array(5000).fill(1)).map((a) => a.slice())", "value of more than 1000000 nodes", "$[199]"},
	}
	for _, c := range cases {
		t.Run(c.source, func(t *testing.T) {
			result, _ := run(t, c.source, withLimits(protocol.Limits{Result: 32 << 20}))
			fault, ok := result.Fault.(*protocol.Unserializable)
			if !ok {
				t.Fatalf("value %s, fault %v", result.Value, result.Fault)
			}
			want := [...]string{c.what, c.path, "result"}
			if diff := cmp.Diff(want, [...]string{fault.What, fault.Path, fault.Where}); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What is exactly at a bound passes, and Go reads it.
func TestEncodeAtTheBounds(t *testing.T) {
	for _, source := range []string{
		"() => { const a = []; let at = a; for (let i = 1; i < 1000; i++) { at.push([]); at = at[0] } return a }",
		"() => Array(999999).fill(1)",
		"() => 'x'.repeat(8388608 - 2)",
		"() => new Uint8Array(6291405)",
	} {
		result, _ := run(t, source)
		if result.Fault != nil {
			t.Errorf("%s: %v", source, result.Fault)
		} else if _, err := protocol.Decode(result.Value, protocol.DefaultBounds); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	for _, source := range []string{
		"() => 'x'.repeat(8388608 - 1)",
		"() => 'x'.repeat(2 ** 28)",
		"() => 'é'.repeat(5000000)",
		"() => ['x'.repeat(5000000), 'y'.repeat(5000000)]",
		"() => { const s = 'x'.repeat(100000); return Array.from({ length: 90 }, () => ({ s })) }",
		"() => ({ ['k'.repeat(9000000)]: 1 })",
		"() => new Array(2 ** 32 - 1)",
		"() => new Proxy([], { get: (t, k) => k === 'length' ? 2 ** 53 - 1 : t[k] })",
		"() => new Uint8Array(6291456 + 1)",
		"() => [new Uint8Array(2 ** 25)]",
	} {
		t.Run(source, func(t *testing.T) {
			result, _ := run(t, source)
			fault, ok := result.Fault.(*protocol.ResultTooLarge)
			if !ok {
				t.Fatalf("fault %v", result.Fault)
			}
			if fault.Actual <= fault.Limit {
				t.Errorf("%d is within %d", fault.Actual, fault.Limit)
			}
		})
	}
}

func TestArgumentsTooLarge(t *testing.T) {
	source := "async () => { try { await tools.args(new Array(2 ** 32 - 1)) } finally { console.log('not reached') } }"
	result, _ := run(t, source)
	fault, ok := result.Fault.(*protocol.ArgumentsTooLarge)
	if !ok || fault.Of != "tools.args" || len(result.Logs) != 0 {
		t.Errorf("fault %v, logs %v", result.Fault, result.Logs)
	}
}

func TestURL(t *testing.T) {
	source := "(u) => [u, u.href, String(u), JSON.stringify({ u }), typeof u.constructor, u instanceof Object]"
	want := `[{"$":"url","v":"https://example.org/?q"},"https://example.org/?q","https://example.org/?q","{\"u\":\"https://example.org/?q\"}","function",true]`
	if diff := cmp.Diff(want, value(t, source, withInput(`{"$":"url","v":"https://example.org/?q"}`))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
