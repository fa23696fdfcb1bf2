package runtime_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// This file holds the test that requests, responses and forms are the same whatever a guest
// patches before they are first used. What patches there are is in patches_test.go.

// fetchWork uses what prepare has made before any patch. CLASSES_BEFORE says where the classes are
// read: there, or behind the patches, so that these come before the classes' code. Objects
// that are read as dictionaries have no prototype, because reading them asks a patched one
// rightly.
const fetchWork = `
function prepare() {
  const form = new FormData();
  form.append('name\n', 'value');
  form.append('file', new File(['text'], 'f.txt', { type: 'a/b' }));
  return {
    seen: Array(40).fill(null), form, query: new URLSearchParams('a=b&c=%20'), blob: new Blob(['{"a":[1]}'], { type: 'application/json' }),
    bytes: new Uint8Array([1, 2, 3]), controller: new AbortController(),
    source: { __proto__: null, n: 0, pull(c) { if (this.n < 2) c.enqueue(this.chunks[this.n++]); else c.close() }, chunks: [new Uint8Array([4]), new Uint8Array([5, 6])] },
    failing: { __proto__: null, pull() { throw 'mine' } },
    init: { __proto__: null, status: 201, statusText: 'Made' },
    plain: { __proto__: null, method: 'post', body: '\u20ac' },
    multipart: 'multipart/form-data; boundary="B"',
    text: '--B\r\nContent-Disposition: form-data; name="a"; filename=x\r\nContent-Type: c/d\r\n\r\ntext\r\n--B\r\ncontent-disposition: form-data; name=e\r\n\r\nf\r\n--B--\r\n',
    ReadableStream, console, Promise, classes: CLASSES_BEFORE,
  };
}
async function use(data, touched) {
  const { Request, Response } = data.classes ?? globalThis;
  const { seen, form, query, blob, bytes, ReadableStream, console } = data;
  let count = 0;
  const see = (value) => { seen[count++] = value };
  const first = new Response(form), again = first.clone();
  const read = await first.formData();
  see(read.get('name\r\n')); see(read.get('file').name); see(await read.get('file').text());
  see((await again.blob()).size);
  see((await new Response(query).formData()).get('c'));
  see((await new Response(blob).json()).a[0]);
  see(await new Response(bytes).bytes());
  see(await new Response(bytes).arrayBuffer());
  const made = new Response('x', data.init);
  see(made.status); see(made.statusText); see(made.headers.get('content-type'));
  see(await new Response(new ReadableStream(data.source)).bytes());
  try { await new Response(new ReadableStream(data.failing)).text() } catch (e) { see(e) }
  const typed = new Response(data.text);
  typed.headers.set('content-type', data.multipart);
  const parts = await typed.formData();
  see(parts.get('a').type); see(parts.get('a').name); see(await parts.get('a').text()); see(parts.get('e'));
  const request = new Request('https://a.b/c?d', data.plain);
  see(request.method); see(request.url); see(request.clone().signal.aborted);
  const taken = new Request(request);
  see(request.bodyUsed); see(await taken.text());
  const reader = new Response('abc').body.getReader();
  see((await reader.read()).value); see((await reader.read()).done);
  see(await new Response(taken.body === null ? 'none' : 'some').text());
  see(Response.json('\ud800').headers.get('content-type')); see(Response.redirect('https://a').headers.get('location')); see(Response.error().type);
  try { await made.clone().formData() } catch (e) { see(e.message) }
  try { new Request('/') } catch (e) { see(e.message) }
  console.log(made, request);
  see(touched);
  return seen;
}
`

func TestPatchesChangeNothingOfFetchClasses(t *testing.T) {
	program := func(patch, classes string) string {
		return patch + strings.Replace(fetchWork, "CLASSES_BEFORE", classes, 1) + `
async () => {
  const touched = [], data = prepare();
  patch(touched);
  return await use(data, touched);
}`
	}
	const before, behind = "{ __proto__: null, Request, Response }", "undefined"
	want := outcome(t, program("function patch() {}", before))
	if len(want) != 2 {
		t.Fatalf("the work itself fails: %q", want)
	}
	for _, p := range patches {
		t.Run(p.name, func(t *testing.T) {
			if diff := cmp.Diff(want, outcome(t, program(p.source, before))); diff != "" {
				t.Errorf("-unpatched +patched:\n%s", diff)
			}
			if p.name == "every global" {
				return // behind it there are no classes to be read
			}
			if diff := cmp.Diff(want, outcome(t, program(p.source, behind))); diff != "" {
				t.Errorf("before the code of the classes: -unpatched +patched:\n%s", diff)
			}
		})
	}
}
