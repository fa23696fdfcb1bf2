package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of Blob, File and FormData.

func TestBlobs(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"parts", `async () => { const bytes = new Uint8Array([97, 98, 99, 100]); const b = new Blob(['\u00e9', bytes.subarray(1, 3), bytes.buffer, new DataView(bytes.buffer, 3), new Blob(['x']), 7, null, { toString: () => 'o' }], { type: 'Text/PLAIN' });
  return [b.size, b.type, await b.text()] }`, `[16,"text/plain","ébcabcddx7nullo"]`},
		{"bytes are copied when the blob is made", `async () => { const bytes = new Uint8Array([1]); const b = new Blob([bytes]); bytes[0] = 2; const read = await b.bytes(); read[0] = 3; return [[...await b.bytes()], [...new Uint8Array(await b.arrayBuffer())]] }`, `[[1],[1]]`},
		{"lone surrogates and bad bytes", `async () => [[...await new Blob(['\ud800']).bytes()], await new Blob([new Uint8Array([0xff, 0x41])]).text(), await new Blob(['\ufeffa']).text(), (await new Blob(['\ufeffa']).bytes()).length]`, "[[239,191,189],\"\ufffdA\",\"a\",4]"},
		{"slices", `async () => { const b = new Blob(['abcdef'], { type: 'a/b' }); const out = []; for (const args of [[], [2], [1, 3], [-2], [0, -1], [4, 2], [9], [NaN, 2], [1.5, 4.5, 'C/D']]) { const s = b.slice(...args); out.push(await s.text() + '|' + s.type) } out.push(await b.slice(1).slice(1, 3).text()); return out }`,
			`["abcdef|","cdef|","bc|","ef|","abcde|","|","|","ab|","cd|c/d","cd"]`},
		{"types that are none", `() => ['\u00e5', 'a\tb', 'A B', '\x7f'].map((type) => new Blob([], { type }).type)`, `["","","a b",""]`},
		{"line endings", `async () => await new Blob(['a\r\nb\rc\n\r\n', new Uint8Array([13, 10])], { endings: 'native' }).text()`, `"a\nb\nc\n\n\r\n"`},
		{"wrong arguments", `() => [() => new Blob('x'), () => new Blob(null), () => new Blob({}), () => new Blob([], 1), () => new Blob([], { endings: 'x' }), () => new Blob([Symbol()]), () => Blob(), () => new File([]), () => new File([], Symbol()), () => Blob.prototype.size]
  .map((f) => { try { f(); return 'none' } catch (e) { return e.constructor.name } }).join()`, `"TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError"`},
		{"promises are rejected, not thrown", `async () => { const out = []; for (const m of ['text', 'arrayBuffer', 'bytes']) { const p = Blob.prototype[m].call({}); out.push(await p.catch((e) => e.name)) } return out }`, `["TypeError","TypeError","TypeError"]`},
		{"files", `async () => { const before = Date.now(); const f = new File(['abc'], 'a/b.txt', { type: 'x/y', lastModified: 5.7 }), g = new File([], 'g'); return [f.name, f.lastModified, f.type, f.size, await f.text(), f instanceof Blob, g.lastModified >= before, f.slice(1) instanceof File] }`,
			`["a/b.txt",5,"x/y",3,"abc",true,true,false]`},
		{"streams", `async () => { const chunks = []; for await (const c of new Blob(['ab', 'c'.repeat(70000)]).stream()) chunks.push(c.length); const r = new Blob(['xyz']).stream().getReader({ mode: 'byob' }); const { value } = await r.read(new Uint8Array(2)); return [chunks, [...value], await r.read(new Uint8Array(2)).then((x) => [x.done, x.value.length]), (await r.read(new Uint8Array(2))).done] }`,
			`[[65536,4466],[120,121],[false,1],true]`},
		{"as a result", `() => [new Blob(['a'])]`, `unserializable: unserializable: Blob at $[0] of the result cannot cross the isolate's boundary`},
		{"a file as a result", `() => ({ f: new File([], 'n') })`, `unserializable: unserializable: File at $.f of the result cannot cross the isolate's boundary`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The bytes of blobs are ArrayBuffer memory, which has a limit.
func TestBlobsAreBounded(t *testing.T) {
	source := "() => { const kept = []; try { for (;;) kept.push(new Blob(['x'.repeat(1 << 20)])) } catch (e) { return [e.name, kept.length > 3] } }"
	if got := value(t, source, withLimits(protocol.Limits{External: 16 << 20})); got != `["RangeError",true]` {
		t.Error(got)
	}
}

func TestFormData(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"texts", `() => { const f = new FormData(); f.append('a', 1); f.append('b', '\ud800'); f.append('a', null); return [[...f], f.get('a'), f.getAll('a'), f.get('c'), f.has('b'), f.getAll('c')] }`,
			"[[[\"a\",\"1\"],[\"b\",\"\ufffd\"],[\"a\",\"null\"]],\"1\",[\"1\",\"null\"],null,true,[]]"},
		{"set and delete", `() => { const f = new FormData(); f.append('a', 1); f.append('b', 2); f.append('a', 3); f.set('a', 4); f.set('c', 5); const set = [...f].join(';'); f.delete('a'); f.delete('x'); return [set, [...f.keys()], [...f.values()]] }`, `["a,4;b,2;c,5",["b","c"],["2","5"]]`},
		{"blobs become files", `async () => { const f = new FormData(), file = new File(['x'], 'n', { lastModified: 3 }); f.append('a', new Blob(['b'], { type: 't/x' })); f.append('b', file); f.append('c', file, 'other'); const [a, b, c] = f.values();
  return [a instanceof File, a.name, a.type, await a.text(), b === file, c.name, c.lastModified, await c.text(), f.get('a') === a] }`, `[true,"blob","t/x","b",true,"other",3,"x",true]`},
		{"iteration is live", `() => { const f = new FormData(); f.append('a', 1); f.append('b', 2); const out = []; for (const [k] of f) { out.push(k); if (k === 'a') f.delete('a'), f.append('c', 3), f.append('d', 4) } f.forEach((v, k, o) => out.push(k + v + (o === f))); return out }`,
			`["a","c","d","b2true","c3true","d4true"]`},
		{"wrong arguments", `() => { const f = new FormData(); return [() => new FormData(null), () => new FormData({}), () => f.append('a'), () => f.append('a', 'b', 'c'), () => f.set('a', 'b', undefined), () => f.get(), () => f.forEach(1), () => f.forEach(), () => FormData.prototype.get.call({}, 'a'), () => f.entries().next.call([].values())]
  .map((g) => { try { g(); return 'none' } catch (e) { return e.constructor.name } }).join() }`, `"TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError"`},
		{"the iterator", `() => { const f = new FormData(); const p = Object.getPrototypeOf(f.entries()); return [Object.prototype.toString.call(f.keys()), Object.getPrototypeOf(p) === Object.getPrototypeOf(Object.getPrototypeOf([].values())), Object.keys(p), f[Symbol.iterator] === f.entries, [...f.entries()]] }`,
			`["[object FormData Iterator]",true,["next"],true,[]]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBlobsAreShown(t *testing.T) {
	body := `
  console.log(new Blob(['abc'], { type: 'a/b' }));
  console.log(new File(['abc'], 'n', { lastModified: 5 }));
  console.log(Object.assign(new Blob(), { own: 1 }));
  class Mine extends Blob {}
  console.log([new Mine()]);
  const f = new FormData(); f.append('a', 1); f.append('a-b', new File([], 'n', { lastModified: 0 }));
  console.log(f);
  console.log(Object.create(Blob.prototype));`
	want := `Blob { size: 3, type: 'a/b' }
File { size: 3, type: '', name: 'n', lastModified: 5 }
Blob { size: 0, type: '', own: 1 }
[ Mine [Blob] { size: 0, type: '' } ]
FormData {
  a: '1',
  'a-b': File { size: 0, type: '', name: 'n', lastModified: 0 }
}
Blob {}`
	if diff := cmp.Diff(want, logged(t, body)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
