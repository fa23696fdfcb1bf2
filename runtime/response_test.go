package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of Response, and of what a body can be made from and read as.

func TestResponse(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"by default", `() => { const r = new Response(); return [r.type, r.url, r.redirected, r.status, r.ok, r.statusText, [...r.headers], r.body, r.bodyUsed] }`, `["default","",false,200,true,"",[],null,false]`},
		{"options", `() => { const r = new Response(null, { status: 599, statusText: 'Oh\tno', headers: { A: '1' } }); return [r.status, r.ok, r.statusText, r.headers.get('a'), r.headers === r.headers] }`, `[599,false,"Oh\tno","1",true]`},
		{"types of bodies", `() => [new Response('a'), new Response(''), new Response(new URLSearchParams('a=b')), new Response(new Blob(['x'], { type: 'A/B' })), new Response(new Blob(['x'])), new Response(new Uint8Array(1)), new Response(new ReadableStream()), new Response({}), new Response(5),
  new Response('a', { headers: { 'Content-Type': 'x/y' } })].map((r) => r.headers.get('content-type'))`,
			`["text/plain;charset=UTF-8","text/plain;charset=UTF-8","application/x-www-form-urlencoded;charset=UTF-8","a/b",null,null,null,"text/plain;charset=UTF-8","text/plain;charset=UTF-8","x/y"]`},
		{"bodies as text", `async () => Promise.all(['\u20ac\ud800', '\ufeffbom', new URLSearchParams('a=b c'), new Blob(['x', 'y']), new Uint8Array([104, 105]), new Uint16Array([0x6968]).buffer, new DataView(new Uint8Array([1, 104, 105]).buffer, 1), {}, [1, 2], null, undefined].map((b) => new Response(b).text()))`,
			`["€�","bom","a=b+c","xy","hi","hi","hi","[object Object]","1,2","",""]`},
		{"every way to read", `async () => { const make = () => new Response('{"a":1}'); const b = await make().blob(), bytes = await make().bytes(), buffer = await make().arrayBuffer();
  return [await make().json(), await make().text(), b instanceof Blob, b.type, await b.text(), bytes.constructor.name, bytes.length, bytes.buffer.byteLength, buffer instanceof ArrayBuffer, buffer.byteLength] }`,
			`[{"a":1},"{\"a\":1}",true,"text/plain;charset=UTF-8","{\"a\":1}","Uint8Array",7,7,true,7]`},
		{"without a body", `async () => { const r = new Response(); return [await r.text(), (await r.bytes()).length, (await r.blob()).size, r.bodyUsed, await r.json().catch((e) => e.name), await r.formData().catch((e) => e.name)] }`, `["",0,0,false,"SyntaxError","TypeError"]`},
		{"once only", `async () => { const r = new Response('x'); const first = r.text(); const used = r.bodyUsed; return [used, await r.text().catch((e) => e.message), await first, r.body.locked, await r.blob().catch((e) => e.constructor === TypeError), (() => { try { r.clone() } catch (e) { return e.name } })()] }`,
			`[true,"Response.text: the body was read already, or is locked to a reader","x",true,true,"TypeError"]`},
		{"what fails to parse has been read", `async () => { const r = new Response('{'); return [await r.json().catch((e) => e.name), r.bodyUsed] }`, `["SyntaxError",true]`},
		{"a body as a stream", `async () => { const r = new Response('hello'); const s = r.body; const out = [s instanceof ReadableStream, s === r.body, r.bodyUsed]; const reader = s.getReader({ mode: 'byob' }); const read = await reader.read(new Uint8Array(3)); return [...out, String.fromCharCode(...read.value), r.bodyUsed, await r.text().catch((e) => e.name)] }`,
			`[true,true,false,"hel",true,"TypeError"]`},
		{"reading after the stream was asked for", `async () => { const r = new Response(new Blob(['x'.repeat(200000)])); r.body; return (await r.text()).length }`, `200000`},
		{"a locked stream", `async () => { const r = new Response('x'); const reader = r.body.getReader(); const out = [r.bodyUsed, await r.text().catch((e) => e.name)]; reader.releaseLock(); return [...out, await r.text()] }`, `[false,"TypeError","x"]`},
		{"the stream after reading", `async () => { const r = new Response('x'); await r.text(); const s = r.body; try { s.getReader() } catch (e) { return [e.name, s.locked, r.bodyUsed, s === r.body] } }`, `["TypeError",true,true,true]`},
		{"from a stream", `async () => { const chunks = [[1], [], [2, 3]]; const s = new ReadableStream({ pull(c) { const next = chunks.shift(); next ? c.enqueue(new Uint8Array(next)) : c.close() } }); const r = new Response(s); return [r.body === s, [...await r.bytes()], r.bodyUsed, s.locked] }`, `[true,[1,2,3],true,true]`},
		{"chunks that are no bytes", `async () => Promise.all([['a'], [new ArrayBuffer(1)], [new Uint16Array(1)], [undefined], [{}]].map((list) => new Response(ReadableStream.from(list)).text().catch((e) => e.name + ': ' + e.message)))`,
			`["TypeError: a chunk of the body is not a Uint8Array","TypeError: a chunk of the body is not a Uint8Array","TypeError: a chunk of the body is not a Uint8Array","TypeError: a chunk of the body is not a Uint8Array","TypeError: a chunk of the body is not a Uint8Array"]`},
		{"streams that fail", `async () => { const e = {}; const of = (source) => new Response(new ReadableStream(source)).arrayBuffer().catch((x) => x === e); return [await of({ start() { return Promise.reject(e) } }), await of({ pull() { throw e } }), await of({ start(c) { c.enqueue(new Uint8Array(1)); c.error(e) } })] }`, `[true,true,true]`},
		{"a stream that is not to be had", `() => { const locked = new ReadableStream(); locked.getReader(); const read = new ReadableStream(); read.cancel(); return [locked, read].map((s) => { try { new Response(s) } catch (e) { return e.message } }) }`,
			`["Response: the stream was read from already, or is locked to a reader","Response: the stream was read from already, or is locked to a reader"]`},
		{"clones", `async () => { const r = new Response('x', { status: 201, headers: { a: 'b' } }); const c = r.clone(); c.headers.set('a', 'c'); return [await c.text(), r.bodyUsed, await r.text(), c.status, r.headers.get('a'), c instanceof Response] }`, `["x",false,"x",201,"b",true]`},
		{"clones of streams", `async () => { const s = new ReadableStream({ start(c) { c.enqueue(new Uint8Array([1, 2])); c.close() } }); const r = new Response(s); const c = r.clone(); const [a, b] = [(await r.body.getReader().read()).value, (await c.body.getReader().read()).value]; return [r.body !== s, s.locked, [...a], [...b], a !== b, a.buffer !== b.buffer] }`, `[true,true,[1,2],[1,2],true,true]`},
		{"a clone of what cannot be cloned", `async () => { const r = new Response(new ReadableStream({ start(c) { c.enqueue(() => {}); c.close() } })); const c = r.clone(); return [await r.text().catch((e) => e.name), await c.text().catch((e) => e.name)] }`, `["DataCloneError","DataCloneError"]`},
		{"a clone after the stream was asked for", `async () => { const r = new Response('x'); const s = r.body; const c = r.clone(); return [s === r.body, s.locked, await r.text(), await c.text()] }`, `[false,true,"x","x"]`},
		{"bytes are copied", `async () => { const u = new Uint8Array([1, 2]); const r = new Response(u), c = r.clone(); u[0] = 9; const a = await r.bytes(); a[0] = 8; return [[...a], [...await c.bytes()]] }`, `[[8,2],[1,2]]`},
		{"a detached buffer has no bytes", `async () => { const b = new ArrayBuffer(8), u = new Uint8Array(b), d = new DataView(b); structuredClone(b, { transfer: [b] }); return Promise.all([b, u, d].map((x) => new Response(x).text())) }`, `["","",""]`},
		{"error", `() => { const r = Response.error(); return [r.type, r.status, r.ok, r.body, (() => { try { r.headers.set('a', 'b') } catch (e) { return e.message } })(), r.clone().type] }`, `["error",0,false,null,"Headers.set: these headers cannot be changed","error"]`},
		{"immutable headers", `() => { const h = Response.redirect('https://a/').headers; return [() => h.append('a', 'b'), () => h.delete('location'), () => h.delete('no'), () => h.append('(', 'b'), () => Response.redirect('https://a/').clone().headers.set('a', 'b'), () => h.get('location')].map((f) => { try { return f() } catch (e) { return e.name } }) }`,
			`["TypeError","TypeError","TypeError","TypeError","TypeError","https://a/"]`},
		{"redirect", `() => { const r = Response.redirect('HTTPS://a.b/\u00fc', 301); return [r.status, r.headers.get('location'), Response.redirect('https://a').status, ...[['https://a', 200], ['/a'], ['', 200], []].map((a) => { try { Response.redirect(...a) } catch (e) { return e.name } })] }`,
			`[301,"https://a.b/%C3%BC",302,"RangeError","TypeError","TypeError","TypeError"]`},
		{"json", `async () => { const r = Response.json({ a: [1] }, { status: 201 }); return [r.status, r.headers.get('content-type'), await r.text(), Response.json(1, { headers: { 'content-type': 'x/y' } }).headers.get('content-type')] }`, `[201,"application/json","{\"a\":[1]}","x/y"]`},
		{"json with raw text", `async () => { const raw = JSON.rawJSON('1e400'); return [await Response.json(raw).text(), await Response.json({ a: [raw], b: { toJSON: () => JSON.rawJSON('"\\u0041"') } }).text(), JSON.stringify([raw])] }`,
			`["1e400","{\"a\":[1e400],\"b\":\"\\u0041\"}","[1e400]"]`},
		{"json when the program has replaced JSON.stringify", `async () => { JSON.stringify = () => 'mine'; return Response.json([1]).text() }`, `"[1]"`},
		{"json of what is none", `() => { const circular = {}; circular.a = circular; return [undefined, () => {}, Symbol(), 1n, circular, { get a() { throw new SyntaxError('mine') } }].map((v) => { try { Response.json(v) } catch (e) { return e.name } }) }`, `["TypeError","TypeError","TypeError","TypeError","TypeError","SyntaxError"]`},
		{"statuses", `() => [0, 199, 600, 65736, -1, NaN, '404', 204].map((status) => { try { return new Response(null, { status }).status } catch (e) { return e.name } })`, `["RangeError","RangeError","RangeError",200,"RangeError","RangeError",404,204]`},
		{"statuses without a body", `() => [101, 204, 205, 304].map((status) => { try { new Response('', { status }) } catch (e) { return e.name } })`, `["RangeError","TypeError","TypeError","TypeError"]`},
		{"what a status line cannot have", `() => ['a\nb', '\0', '\u0100', '\x7f', '\x80'].map((statusText) => { try { return new Response('', { statusText }).statusText.length } catch (e) { return e.name } })`, `["TypeError","TypeError","TypeError","TypeError",1]`},
		{"as a result", `() => new Response()`, `unserializable: unserializable: Response at $ of the result cannot cross the isolate's boundary`},
		{"a cookie stays", `() => new Response('', { headers: [['Set-Cookie', 'a=1'], ['set-cookie', 'b=2']] }).headers.getSetCookie()`, `["a=1","b=2"]`},
		{"subclasses", `async () => { class R extends Response { get double() { return this.status * 2 } } const r = new R('x'); return [r.double, await r.text(), r instanceof Response, R.json(1) instanceof R] }`, `[400,"x",true,false]`},
		{"receivers", `async () => { const out = []; for (const m of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) out.push(await Response.prototype[m].call({}).catch((e) => e.message)); for (const m of ['body', 'bodyUsed', 'status', 'headers']) { try { Response.prototype[m] } catch (e) { out.push(e.message) } } try { Response.prototype.text.call(new Request('a:')) } catch { out.push('thrown') } return out }`,
			`["Response.arrayBuffer: Illegal invocation","Response.blob: Illegal invocation","Response.bytes: Illegal invocation","Response.formData: Illegal invocation","Response.json: Illegal invocation","Response.text: Illegal invocation","Response.body: Illegal invocation","Response.bodyUsed: Illegal invocation","Response.status: Illegal invocation","Response.headers: Illegal invocation"]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The conversions of Web IDL come first, in its order, and only then the checks of Fetch.
func TestResponseConversions(t *testing.T) {
	const spy = `
const seen = [];
const say = (name, value) => ({ toString() { seen.push(name); return value }, valueOf() { seen.push(name); return value } });
const init = (values) => ({ get statusText() { seen.push('get statusText'); return values.statusText }, get status() { seen.push('get status'); return values.status }, get headers() { seen.push('get headers'); return values.headers } });
const name = (f) => { try { f(); return 'none' } catch (e) { return e.name ?? e } };
`
	cases := []struct{ name, source, want string }{
		{"order", spy + `() => { new Response(say('body', 'b'), init({ status: say('status', 404), statusText: say('statusText', 'x'), headers: { a: say('header', '1') } })); return seen }`,
			`["body","get headers","header","get status","status","get statusText","statusText"]`},
		{"a body that throws", spy + `() => [name(() => new Response({ toString() { throw 'mine' } }, init({}))), seen]`, `["mine",[]]`},
		{"a symbol", spy + `() => [name(() => new Response(Symbol())), name(() => new Response('', 1)), name(() => new Response('', null)), name(() => Response.json(1, 'x'))]`, `["TypeError","TypeError","none","TypeError"]`},
		{"a locked stream before a wrong status", spy + `() => { const s = new ReadableStream(); s.getReader(); return name(() => new Response(s, { status: 1 })) }`, `"TypeError"`},
		{"a wrong status before wrong headers", spy + `() => [name(() => new Response('', { status: 1, headers: { '(': '' } })), name(() => new Response('', { status: 204, headers: { '(': '' } }))]`, `["RangeError","TypeError"]`},
		{"options of json before its value", spy + `() => { Response.json({ toJSON() { seen.push('value'); return 1 } }, init({})); return seen }`, `["get headers","get status","get statusText","value"]`},
		{"a body that changes while options are read", `async () => { const u = new Uint8Array([1, 2]); const r = new Response(u, { get status() { u[0] = 9; return 200 } }); return [...await r.bytes()] }`, `[9,2]`},
		{"a body that is detached while options are read", `async () => { const u = new Uint8Array([1, 2]); const r = new Response(u, { get status() { structuredClone(0, { transfer: [u.buffer] }); return 200 } }); return [...await r.bytes()] }`, `[]`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestInspectionOfFetchClasses(t *testing.T) {
	got := logged(t, "console.log(new Response('x', { headers: { a: 'b' } })); console.log(new Response()); console.log(new Request('https://a.b/c', { method: 'POST', body: 'x' })); console.log([new Response(null, { status: 404 })].length)")
	want := `Response {
  status: 200,
  statusText: '',
  headers: Headers { a: 'b', 'content-type': 'text/plain;charset=UTF-8' },
  body: ReadableStream { locked: false, state: 'readable', supportsBYOB: true },
  bodyUsed: false,
  ok: true,
  redirected: false,
  type: 'default',
  url: ''
}
Response {
  status: 200,
  statusText: '',
  headers: Headers {},
  body: null,
  bodyUsed: false,
  ok: true,
  redirected: false,
  type: 'default',
  url: ''
}
Request {
  method: 'POST',
  url: 'https://a.b/c',
  headers: Headers { 'content-type': 'text/plain;charset=UTF-8' },
  destination: '',
  referrer: 'about:client',
  referrerPolicy: '',
  mode: 'cors',
  credentials: 'same-origin',
  cache: 'default',
  redirect: 'follow',
  integrity: '',
  keepalive: false,
  isReloadNavigation: false,
  isHistoryNavigation: false,
  signal: AbortSignal { aborted: false }
}
1`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// What was shown can be read as before.
	if got := value(t, "async () => { const r = new Response('x'); console.log(r); return r.text() }"); got != `"x"` {
		t.Error(got)
	}
}
