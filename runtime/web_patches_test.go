package runtime_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the test that events, clones, blobs, headers and streams are the same
// whatever a guest patches before they are first used. What patches there are is in
// patches_test.go.

// webWork uses what prepareWeb has made before any patch. Objects that are read as
// dictionaries have no prototype, because reading them asks a patched one rightly; for the
// same reason no list is given to what reads iterables.
const webWork = `
function prepare() {
  const list = [1, { a: [2] }];
  list.self = list;
  return {
    seen: Array(30).fill(null),
    values: [list, new Map([['k', new Set([1])]]), new Date(5), /x/g, new RangeError('r', { cause: 1 }), new Uint8Array([1, 2]), Object(1n)],
    refused: [() => {}, Promise.resolve(), Symbol('s')],
    blob: new Blob(['text', new Uint8Array([65, 66])], { __proto__: null, type: 'A/B' }),
    once: { __proto__: null, once: true },
    source: { __proto__: null, n: 0, pull(c) { if (this.n < 3) c.enqueue(this.n++); else c.close() } },
    sink: { __proto__: null, write(c) { this.log('chunk', c) }, close() { this.log('closed') }, log: console.log },
    FormData, Headers, EventTarget, Event, CustomEvent, AbortController, AbortSignal, DOMException, ReadableStream, WritableStream,
    structuredClone, performance, console, Promise,
  };
}
async function use(data, touched) {
  const { seen, blob, console, FormData, Headers, EventTarget, Event, CustomEvent, AbortController, AbortSignal, DOMException, ReadableStream, WritableStream, structuredClone, Promise } = data;
  let count = 0;
  const see = (value) => { seen[count++] = value };
  for (let i = 0; i < 7; i++) see(structuredClone(data.values[i]));
  for (let i = 0; i < 3; i++) { try { structuredClone(data.refused[i]) } catch (e) { see(e.message) } }
  const target = new EventTarget();
  target.addEventListener('x', (e) => { see(e.detail) }, data.once);
  target.addEventListener('x', () => { throw 'in a listener' });
  target.dispatchEvent(new CustomEvent('x', { __proto__: null, detail: 7 }));
  target.dispatchEvent(new Event('x'));
  const controller = new AbortController();
  controller.signal.onabort = () => { see('aborted') };
  controller.abort();
  try { controller.signal.throwIfAborted() } catch (e) { see(e.name); console.log(e) }
  see(await new Promise((resolve) => { const s = AbortSignal.timeout(1); s.onabort = () => { resolve(s.reason.name) } }));
  see(await blob.text()); see(blob.type); see(await blob.slice(1, 3).bytes());
  const form = new FormData();
  form.append('k', 'v'); form.set('b', blob); form.delete('x');
  see(form.get('k')); see(form.get('b').name);
  form.delete('b'); // its lastModified is now
  const headers = new Headers();
  headers.append('B', '1'); headers.append('a', '2'); headers.append('b', '3');
  see(headers.get('b')); headers.forEach((value, name) => { see(name + '=' + value) });
  await new ReadableStream(data.source).pipeTo(new WritableStream(data.sink));
  const reader = blob.stream().getReader();
  see((await reader.read()).value);
  console.log(blob, form, headers, controller, new DOMException('m', 'DataError').code);
  see(data.performance.now() > 0);
  see(touched);
  return seen;
}
`

func TestPatchesChangeNothingOfTheWeb(t *testing.T) {
	program := func(patch string) string {
		return patch + webWork + `
async () => {
  const touched = [], data = prepare();
  patch(touched);
  return await use(data, touched);
}`
	}
	want := outcome(t, program("function patch() {}"))
	if len(want) < 6 {
		t.Fatalf("the work itself fails: %q", want)
	}
	for _, p := range patches {
		t.Run(p.name, func(t *testing.T) {
			if diff := cmp.Diff(want, outcome(t, program(p.source))); diff != "" {
				t.Errorf("-unpatched +patched:\n%s", diff)
			}
		})
	}
}
