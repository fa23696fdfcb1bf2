package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of Request.

func TestRequest(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"by default", `() => { const r = new Request('HTTPS://A.b:443/c?d#e'); return [r.method, r.url, [...r.headers], r.destination, r.referrer, r.referrerPolicy, r.mode, r.credentials, r.cache, r.redirect, r.integrity, r.keepalive, r.isReloadNavigation, r.isHistoryNavigation, r.duplex, r.body, r.bodyUsed, r.headers === r.headers, r.signal === r.signal, r.signal.aborted] }`,
			`["GET","https://a.b/c?d#e",[],"","about:client","","cors","same-origin","default","follow","",false,false,false,"half",null,false,true,true,false]`},
		{"options", `() => { const r = new Request('https://a/', { method: 'post', headers: [['A', '1']], referrer: 'https://b/', referrerPolicy: 'origin', mode: 'same-origin', credentials: 'omit', cache: 'only-if-cached', redirect: 'error', integrity: 'sha256-x', keepalive: 1, duplex: 'half', priority: 'low', window: null });
  return [r.method, [...r.headers], r.referrer, r.referrerPolicy, r.mode, r.credentials, r.cache, r.redirect, r.integrity, r.keepalive] }`,
			`["POST",[["a","1"]],"https://b/","origin","same-origin","omit","only-if-cached","error","sha256-x",true]`},
		{"methods", `() => ['get', 'PoSt', 'patch', 'PATCH', 'x!', 'TRACE', 'connect', 'Track', '', 'a b', 'a\n', '\u0100'].map((method) => { try { return new Request('a:', { method }).method } catch (e) { return e.name } })`,
			`["GET","POST","patch","PATCH","x!","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"]`},
		{"only absolute URLs", `() => ['/a', '', 'a', '//h', 'https://', 'https://u@h/', 'https://u:p@h/', { toString: () => 'https://h' }, new URL('https://h/x')].map((u) => { try { return new Request(u).url } catch (e) { return e.message } })`,
			`["Request: Invalid URL: \"/a\"; it must be an absolute one","Request: Invalid URL: \"\"; it must be an absolute one","Request: Invalid URL: \"a\"; it must be an absolute one","Request: Invalid URL: \"//h\"; it must be an absolute one","Request: Invalid URL: \"https://\"; it must be an absolute one","Request: the URL has a user name or a password, which belong into a header","Request: the URL has a user name or a password, which belong into a header","https://h/","https://h/x"]`},
		{"a location of the program's", `() => { const out = []; for (const location of [new URL('https://a.b/c/d'), { href: 'https://e.f/g' }, { href: 1 }, { get href() { throw 'called' } }, 'https://a/', { href: 'nonsense' }]) { globalThis.location = location; try { out.push(new Request('x?y').url) } catch (e) { out.push(e.name) } } return [...out, Response.redirect, new Request('https://a/').url].slice(0, 6) }`,
			`["https://a.b/c/x?y","https://e.f/x?y","TypeError","TypeError","TypeError","TypeError"]`},
		{"a referrer from elsewhere", `() => { globalThis.location = new URL('https://a/'); return ['/x', 'https://b/', 'about:client', ''].map((referrer) => new Request('https://c/', { referrer }).referrer) }`, `["https://a/x","about:client","about:client",""]`},
		{"what cannot be", `() => [{ mode: 'navigate' }, { mode: 'x' }, { cache: 'only-if-cached' }, { credentials: 'x' }, { redirect: 'x' }, { referrerPolicy: 'x' }, { priority: 'x' }, { duplex: 'full' }, { window: 1 }, { window: {} }, { signal: {} }, { signal: 1 }, { referrer: 'http://' }, { mode: 'no-cors', method: 'PUT' }, { headers: null }, { headers: { '(': '' } }, { body: 'x' }, { body: '', method: 'HEAD' }, 1]
  .map((init) => { try { new Request('https://a/', init); return 'none' } catch (e) { return e.name } }).join()`,
			`"TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError"`},
		{"what can be", `() => [null, undefined, {}, { body: null }, { signal: null }, { body: undefined, method: undefined }, { mode: 'no-cors' }].map((init) => { try { return new Request('https://a/', init).method } catch (e) { return e.message } }).join()`, `"GET,GET,GET,GET,GET,GET,GET"`},
		{"a stream as a body", `async () => { const of = (init) => new Request('a:', { method: 'POST', body: new ReadableStream({ start(c) { c.enqueue(new Uint8Array([65])); c.close() } }), ...init }); return [await of({ duplex: 'half' }).text(), ...[{}, { duplex: 'half', keepalive: true }, { duplex: 'half', mode: 'no-cors' }].map((init) => { try { of(init) } catch (e) { return e.message } })] }`,
			`["A","Request: a body that is a stream needs duplex: 'half'","Request: a stream cannot be the body of a request that is kept alive","Request: a body that is a stream needs the mode same-origin or cors"]`},
		{"from a request", `async () => { const a = new Request('https://a/', { method: 'POST', body: 'x', headers: { b: 'c' }, referrer: 'https://r/', mode: 'same-origin' }); const b = new Request(a); return [b.url, b.method, b.headers.get('b'), b.referrer, b.mode, a.bodyUsed, await b.text(), await a.text().catch((e) => e.name), b.headers !== a.headers] }`,
			`["https://a/","POST","c","https://r/","same-origin",true,"x","TypeError",true]`},
		{"from a request with options", `async () => { const a = new Request('https://a/', { method: 'POST', body: 'x', headers: { b: 'c' }, referrer: 'https://r/' }); const b = new Request(a, { body: 'y' }), c = new Request(a, { headers: { d: 'e' } }); return [await b.text(), b.referrer, b.headers.get('b'), [...c.headers], await c.text(), a.bodyUsed] }`,
			`["y","about:client","c",[["d","e"]],"x",true]`},
		{"from a request whose stream was asked for", `async () => { const a = new Request('a:', { method: 'POST', body: 'x' }); const s = a.body; const b = new Request(a); return [a.bodyUsed, s === a.body, s.locked, b.body !== s, await b.text()] }`, `[true,true,true,true,"x"]`},
		{"from a request as options", `async () => { const a = new Request('https://a/', { method: 'POST', body: 'x' }); const b = new Request('https://b/', a); return [b.url, b.method, await b.text(), a.bodyUsed] }`, `["https://b/","POST","x",true]`},
		{"from a request that was read", `async () => { const a = new Request('a:', { method: 'POST', body: 'x' }); await a.text(); try { new Request(a) } catch (e) { return [e.name, await new Request(a, { body: 'y' }).text()] } }`, `["TypeError","y"]`},
		{"a failure leaves the request as it was", `() => { const a = new Request('a:', { method: 'POST', body: 'x' }); for (const init of [{ method: 'GET' }, { method: 'TRACE' }, { mode: 'navigate' }, { headers: { '(': '' } }]) { try { new Request(a, init) } catch (e) {} } return a.bodyUsed }`, `false`},
		{"clones", `async () => { const a = new Request('https://a/', { method: 'PUT', body: 'x', headers: { b: 'c' } }); const b = a.clone(); b.headers.set('b', 'd'); return [b.method, b.url, await b.text(), a.bodyUsed, await a.text(), a.headers.get('b'), (() => { try { a.clone() } catch (e) { return e.name } })()] }`, `["PUT","https://a/","x",false,"x","c","TypeError"]`},
		{"signals", `() => { const c = new AbortController(); const a = new Request('a:', { signal: c.signal }), b = a.clone(), d = new Request(b), e = new Request(d, { signal: null }), log = []; d.signal.onabort = () => log.push('d'); a.signal.onabort = () => log.push('a');
  c.abort('why'); return [log, a.signal !== c.signal, a.signal.reason, b.signal.reason, d.signal.aborted, e.signal.aborted, new Request(a).signal.reason] }`, `[["d","a"],true,"why","why",true,false,"why"]`},
		{"a long chain of clones", `() => { const c = new AbortController(); let r = new Request('a:', { signal: c.signal }); for (let i = 0; i < 20000; i++) r = r.clone(); c.abort(1); return r.signal.reason }`, `1`},
		{"no name of a header is forbidden", `() => [...new Request('a:', { headers: { Cookie: 'a=1', Host: 'h', 'Content-Length': '5' }, mode: 'no-cors' }).headers.keys()]`, `["content-length","cookie","host"]`},
		{"as a result", `() => new Request('a:')`, `unserializable: unserializable: Request at $ of the result cannot cross the isolate's boundary`},
		{"what a program passes on", `async () => { const r = new Request('https://api.example/items?x=1', { method: 'POST', body: JSON.stringify({ a: 1 }), headers: { 'content-type': 'application/json' } });
  return await tools.echo({ url: r.url, method: r.method, headers: Object.fromEntries(r.headers), body: await r.json() }) }`, `{"url":"https://api.example/items?x=1","method":"POST","headers":{"content-type":"application/json"},"body":{"a":1}}`},
		{"there is no fetch", `() => [typeof fetch, 'fetch' in globalThis]`, `["undefined",false]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The members of the dictionary are read in their order, each once, before anything is checked.
func TestRequestConversions(t *testing.T) {
	source := `() => {
  const seen = [], say = (name, value) => ({ toString() { seen.push(name); return value } });
  const values = { body: say('body', 'b'), cache: say('cache', 'reload'), headers: { get a() { seen.push('header'); return '1' } }, method: say('method', 'PUT'), window: null, keepalive: 1 };
  const init = new Proxy(values, { get(target, key) { seen.push('get ' + String(key)); return target[key] } });
  const out = [new Request(say('url', 'https://a/'), init).method];
  const caught = [];
  for (const [url, bad] of [['https://u@h/', { get window() { caught.push('window'); return 1 } }], ['/relative', { get window() { caught.push('window') } }], ['https://a/', { get cache() { throw 'cache' }, get body() { throw 'body' } }], [Symbol(), { get body() { caught.push('never') } }]]) {
    try { new Request(url, bad) } catch (e) { caught.push(e.name ?? e) }
  }
  return [out, seen, caught];
}`
	want := `[["PUT"],["url","get body","body","get cache","cache","get credentials","get duplex","get headers","header","get integrity","get keepalive","get method","method","get mode","get priority","get redirect","get referrer","get referrerPolicy","get signal","get window"],["window","TypeError","window","TypeError","body","TypeError"]]`
	if diff := cmp.Diff(want, value(t, source)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
