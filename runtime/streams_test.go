package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the tests of the streams. The algorithms are those of the standard, so
// what is here is one case of each, and what is ours.

func TestStreams(t *testing.T) {
	cases := []struct{ name, source, want string }{
		{"a source", `async () => { let n = 0; const s = new ReadableStream({ start(c) { c.enqueue('start') }, pull(c) { if (++n < 3) c.enqueue(n); else c.close() } }); const r = s.getReader(); const out = []; for (;;) { const { value, done } = await r.read(); if (done) break; out.push(value) } await r.closed; return [out, s.locked] }`,
			`[["start",1,2],true]`},
		{"iteration", `async () => { let canceled; const s = new ReadableStream({ pull(c) { c.enqueue(1) }, cancel(r) { canceled = [r] } }); for await (const c of s) break; return [s.locked, canceled] }`, `[false,[{"$":"undefined"}]]`},
		{"iteration that keeps the stream", `async () => { const s = ReadableStream.from([1, 2, 3]); for await (const c of s.values({ preventCancel: true })) break; const out = []; for await (const c of s) out.push(c); return out }`, `[2,3]`},
		{"from", `async () => { const all = async (x) => { const out = []; for await (const c of ReadableStream.from(x)) out.push(c); return out }; return [await all([1, Promise.resolve(2)]), await all('ab'), await all((async function* () { yield 1; yield 2 })()), await all(new Set([3]))] }`, `[[1,2],["a","b"],[1,2],[3]]`},
		{"errors", `async () => { const s = new ReadableStream({ pull() { throw new RangeError('broken') } }); const r = s.getReader(); const out = []; for (const p of [r.read(), r.closed, r.read()]) out.push(await p.catch((e) => e.message)); return out }`, `["broken","broken","broken"]`},
		{"cancel", `async () => { let why; const s = new ReadableStream({ cancel(r) { why = r } }); await s.cancel('enough'); return [why, await s.getReader().read()] }`, `["enough",{"value":{"$":"undefined"},"done":true}]`},
		{"tee", `async () => { const [a, b] = ReadableStream.from([1, 2]).tee(); const all = async (s) => { const out = []; for await (const c of s) out.push(c); return out }; return [await all(a), await all(b)] }`, `[[1,2],[1,2]]`},
		{"bytes", `async () => { const s = new ReadableStream({ type: 'bytes', pull(c) { const v = c.byobRequest.view; v[0] = 7; c.byobRequest.respond(1) } }); const r = s.getReader({ mode: 'byob' }); const view = new Uint8Array(4); const { value } = await r.read(view); return [[...value], view.byteLength, value.buffer.byteLength] }`, `[[7],0,4]`},
		{"bytes, at least so many", `async () => { let n = 0; const s = new ReadableStream({ type: 'bytes', pull(c) { c.enqueue(new Uint8Array([++n])) } }); const { value } = await s.getReader({ mode: 'byob' }).read(new Uint16Array(4), { min: 2 }); return [value.constructor.name, value.length, n >= 4] }`, `["Uint16Array",2,true]`},
		{"bytes that are teed", `async () => { const [a, b] = new ReadableStream({ type: 'bytes', start(c) { c.enqueue(new Uint8Array([1, 2])); c.close() } }).tee(); const x = (await a.getReader().read()).value, y = (await b.getReader().read()).value; x[0] = 9; return [[...x], [...y]] }`, `[[9,2],[1,2]]`},
		{"a sink", `async () => { const out = []; const w = new WritableStream({ start() { out.push('start') }, write(c) { out.push(c) }, close() { out.push('close') } }, { highWaterMark: 2 }).getWriter(); out.push(w.desiredSize); w.write(1); w.write(2); out.push(w.desiredSize); await w.ready; await w.close(); return out }`, `["start",2,0,1,2,"close"]`},
		{"a sink that fails", `async () => { const w = new WritableStream({ write() { throw new Error('full') } }).getWriter(); const first = await w.write(1).catch((e) => e.message); return [first, await w.closed.catch((e) => e.message), await w.write(2).catch((e) => e.message), w.desiredSize] }`, `["full","full","full",null]`},
		{"abort", `async () => { let c; const out = []; const s = new WritableStream({ start(controller) { c = controller; c.signal.onabort = () => out.push(c.signal.reason) }, abort(r) { out.push('sink ' + r) } }); await s.abort('why'); return out }`, `["why","sink why"]`},
		{"pipes", `async () => { const out = []; await ReadableStream.from(['a', 'b']).pipeThrough(new TransformStream({ transform(c, t) { t.enqueue(c.toUpperCase()) }, flush(t) { t.enqueue('!') } })).pipeTo(new WritableStream({ write(c) { out.push(c) } })); return out }`, `["A","B","!"]`},
		{"a pipe that is aborted", `async () => { const c = new AbortController(); let canceled; const p = new ReadableStream({ cancel(r) { canceled = r } }).pipeTo(new WritableStream(), { signal: c.signal }); c.abort('stop'); return [await p.catch((e) => e), canceled] }`, `["stop","stop"]`},
		{"strategies", `() => [new CountQueuingStrategy({ highWaterMark: 3 }).size(), new ByteLengthQueuingStrategy({ highWaterMark: 3 }).size({ byteLength: 5 }), new CountQueuingStrategy({ highWaterMark: '4' }).highWaterMark, new CountQueuingStrategy({ highWaterMark: 1 }).size.name]`, `[1,5,4,"size"]`},
		{"wrong use", `async () => { const s = new ReadableStream(), r = s.getReader(); const name = async (f) => { try { await f(); return 'none' } catch (e) { return e.constructor.name } }; const out = [];
  for (const f of [() => s.getReader(), () => s.tee(), () => s.cancel(), () => s.pipeTo(1), () => s.pipeTo(new WritableStream()), () => s.pipeThrough({}), () => new ReadableStream(null), () => new ReadableStream({ type: 'x' }), () => new ReadableStream({ pull: 1 }), () => new ReadableStream({}, { highWaterMark: -1 }), () => new ReadableStream().getReader({ mode: 'byob' }), () => new ReadableStreamDefaultController(), () => ReadableStream.prototype.locked, () => ReadableStream.prototype.cancel(), () => new WritableStream({ type: 'x' }), () => ReadableStream.from(1), () => new TransformStream({ readableType: 'x' })]) out.push(await name(f));
  return out.join() }`,
			`"TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,TypeError,RangeError,TypeError,TypeError,TypeError,TypeError,RangeError,TypeError,RangeError"`},
		{"as a result", `() => new ReadableStream()`, `unserializable: unserializable: ReadableStream at $ of the result cannot cross the isolate's boundary`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, value(t, c.source)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestStreamsAreShown(t *testing.T) {
	body := `
  const s = new ReadableStream({ type: 'bytes' }); s.getReader();
  console.log([s, new WritableStream()]);
  console.log(new TransformStream());`
	want := `[
  ReadableStream { locked: true, state: 'readable', supportsBYOB: true },
  WritableStream { locked: false, state: 'writable' }
]
TransformStream {
  readable: ReadableStream { locked: false, state: 'readable', supportsBYOB: false },
  writable: WritableStream { locked: false, state: 'writable' }
}`
	if diff := cmp.Diff(want, logged(t, body)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What settles a stream's promises looks nothing up that a program may have patched: a
// pipe of many chunks goes through whatever Promise.prototype.then is.
func TestStreamsIgnorePatchedPromises(t *testing.T) {
	source := `async () => {
  let calls = 0;
  const chunks = [];
  const real = Promise.prototype.then;
  const done = new Promise((resolve) => {
    Promise.prototype.then = function () { calls++; return real.apply(this, arguments) };
    Object.defineProperty(Promise, Symbol.species, { get() { calls++; return Promise } });
    let n = 0;
    const source = new ReadableStream({ pull(c) { if (n < 100) c.enqueue(n++); else c.close() } });
    const sink = new WritableStream({ write(c) { chunks[chunks.length] = c }, close: resolve });
    source.pipeTo(sink);
  });
  await done;
  return [calls, chunks.length];
}`
	if got := value(t, source); got != "[0,100]" {
		t.Error(got)
	}
}
