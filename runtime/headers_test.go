package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of Headers.

func TestHeaders(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"from an object", `() => [...new Headers({ 'Content-Type': 'a/b', Accept: 1, x: null })]`, `[["accept","1"],["content-type","a/b"],["x","null"]]`},
		{"from pairs, a Map and other headers", `() => [new Headers([['B', '1'], ['a', '2'], ['b', '3']]), new Headers(new Map([['k', 'v']])), new Headers(new Headers({ q: 'r' })), new Headers()].map((h) => [...h].join(';'))`, `["a,2;b,1, 3","k,v","q,r",""]`},
		{"methods", `() => { const h = new Headers({ A: '1' }); h.append('a', '2'); h.set('B', ' x\t'); const seen = [h.get('A'), h.get('b'), h.get('c'), h.has('B'), h.has('c')]; h.delete('a'); h.set('b', 'y'); return [seen, [...h]] }`, `[["1, 2","x",null,true,false],[["b","y"]]]`},
		{"cookies stay apart", `() => { const h = new Headers([['Set-Cookie', 'a=1'], ['x', 'y'], ['set-cookie', 'b=2']]); return [[...h], h.get('set-cookie'), h.getSetCookie()] }`, `[[["set-cookie","a=1"],["set-cookie","b=2"],["x","y"]],"a=1, b=2",["a=1","b=2"]]`},
		{"set keeps the first place", `() => { const h = new Headers([['a', '1'], ['set-cookie', '1'], ['a', '2']]); h.set('a', '3'); return [...h].join(';') }`, `"a,3;set-cookie,1"`},
		{"iteration is live and sorted", `() => { const h = new Headers({ b: '1', d: '2' }); const out = []; for (const [k] of h) { out.push(k); if (k === 'b') h.append('c', 'x') } h.forEach((v, k, o) => out.push(k + v + (o === h))); return out }`, `["b","c","d","b1true","cxtrue","d2true"]`},
		{"what cannot be", `() => { const h = new Headers(); return [() => new Headers(null), () => new Headers(1), () => new Headers([['a']]), () => new Headers([['a', 'b', 'c']]), () => new Headers(['ab']), () => new Headers({ 'a b': '1' }), () => new Headers({ '': '1' }),
  () => h.append('a', 'b\nc'), () => h.append('a', '\0'), () => h.set('a', '\u0100'), () => h.get('\u00e9'), () => h.has(''), () => h.append('a'), () => h.delete('('), () => Headers.prototype.get.call({}, 'a'), () => new Headers([1])]
  .map((f) => { try { f(); return 'none' } catch (e) { return e.constructor.name } }).join() }`,
			`"TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError"`},
		{"nothing is added when something is wrong", `() => { const h = new Headers(); try { h.append('a', 'b\rc') } catch {} return [...h].length }`, `0`},
		{"bytes beyond ASCII", `() => new Headers({ a: '\u00ff' }).get('a')`, `"ÿ"`},
		{"as a result", `() => new Headers()`, `unserializable: unserializable: Headers at $ of the result cannot cross the isolate's boundary`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if got, want := logged(t, "console.log(new Headers({ B: '1', 'content-type': 'a/b' }))"), "Headers { b: '1', 'content-type': 'a/b' }"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
