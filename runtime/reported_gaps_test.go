package runtime_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isogate/isogate/protocol"
)

// This file holds the tests of what users of other sandboxes found missing there. Each
// row is a public report, named as project#number on GitHub, with a program of the kind
// that failed: here it works, or is told what to use in place of what is absent.

// reportedGaps are the reports. The want of a program is its value as codec text, or the
// code and text of its fault down to the first frame of its stack.
var reportedGaps = []struct {
	report, program string
	input           string
	logs            []string
	want            string
}{
	{
		report: "openclaw/openclaw#119011", // a pause between two tool calls
		program: `async () => {
  const written = await tools.echo({ sessionId: 's1', data: 'pnpm build\n' });
  const before = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const waited = Date.now() - before;
  const read = await tools.echo({ sessionId: written.sessionId, output: 'done' });
  return { output: read.output, paused: waited >= 29 };
}`,
		want: `{"output":"done","paused":true}`,
	},
	{
		report: "agentrhq/webcmd#335", // the first rung that programs try for bytes
		program: `async () => {
  const csv = 'name,price\nHüte,12\n';
  const file = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'utf-8') };
  return await tools.echo(file);
}`,
		want: "thrown: uncaught ReferenceError: Buffer is not defined\nUse Uint8Array for bytes, TextEncoder and TextDecoder for their text, atob and btoa for base64.",
	},
	{
		report: "agentrhq/webcmd#344", // and the rungs below it
		program: `async () => {
  const toBytes = (text) => typeof Buffer !== 'undefined' ? Buffer.from(text) : new TextEncoder().encode(text);
  const bytes = toBytes('name,price\nHüte,12\n');
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const file = await tools.echo({ name: 'prices.csv', base64: btoa(binary) });
  const back = Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0));
  const failed = (() => { try { return btoa('\u20ac') } catch (e) { return e.name } })();
  return { base64: file.base64, text: new TextDecoder().decode(back), one: btoa(String.fromCharCode(255)), failed };
}`,
		want: `{"base64":"bmFtZSxwcmljZQpIw7x0ZSwxMgo=","text":"name,price\nHüte,12\n","one":"/w==","failed":"InvalidCharacterError"}`,
	},
	{
		report: "jonaslsaa/smartlinks#47", // a picture as the base64 of a response, after the request's address
		program: `(request) => {
  const url = new URL(request.url);
  const width = Number(url.searchParams.get('w') ?? 1), color = url.searchParams.get('color');
  const header = new TextEncoder().encode('P6 ' + width + ' 1 255\n');
  const pixel = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16));
  const bytes = new Uint8Array(header.length + 3 * width);
  bytes.set(header);
  for (let x = 0; x < width; x++) bytes.set(pixel, header.length + 3 * x);
  return { status: 200, headers: { 'content-type': 'image/x-portable-pixmap' }, bodyBase64: btoa(String.fromCharCode(...bytes)), path: url.pathname };
}`,
		input: `{"url":"https://go.example/pixel?w=2&color=%23ff8000"}`,
		want:  `{"status":200,"headers":{"content-type":"image/x-portable-pixmap"},"bodyBase64":"UDYgMiAxIDI1NQr/gAD/gAA=","path":"/pixel"}`,
	},
	{
		report: "solanabr/superteam-academy#302", // reading what a chain keeps: a discriminator, lengths, text
		program: `async () => {
  const account = Uint8Array.fromHex('ff00ff00ff00ff00' + '05000000' + '48656c6cc3b6' + '2a00000000000000').slice();
  const view = new DataView(account.buffer);
  const length = view.getUint32(8, true);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let name;
  try { name = decoder.decode(account.subarray(12, 12 + length)) } catch (e) { name = e.name }
  return { cut: name, whole: decoder.decode(account.subarray(12, 13 + length)), score: view.getBigUint64(13 + length, true).toString() };
}`,
		want: `{"cut":"TypeError","whole":"Hellö","score":"42"}`,
	},
	{
		report: "laverdet/isolated-vm#401",
		program: `async () => {
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  async function retry(operation, attempts) {
    for (let i = 0; ; i++) {
      try { return await operation(i) } catch (e) {
        if (i + 1 >= attempts) throw e;
        await sleep(2 ** i);
      }
    }
  }
  const order = [];
  const late = setTimeout(() => order.push('never'), 5);
  clearTimeout(late);
  const value = await retry(async (i) => {
    order.push('attempt ' + i);
    if (i < 2) throw new Error('busy');
    return 'ready';
  }, 5);
  return { value, order };
}`,
		want: `{"value":"ready","order":["attempt 0","attempt 1","attempt 2"]}`,
	},
	{
		report: "laverdet/isolated-vm#208", // globals that a snapshot cannot hold: absent in one way only
		program: `() => {
  const shared = typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(16) : new SharedArrayBuffer(16);
  const counters = new Int32Array(shared);
  return Atomics.add(counters, 0, 1);
}`,
		want: "thrown: uncaught ReferenceError: Atomics is not defined\nMemory is not shared and there are no other threads: use ArrayBuffer.",
	},
	{
		report: "laverdet/isolated-vm#208 (WebAssembly)",
		program: `async () => {
  const bytes = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return Object.keys(instance.exports);
}`,
		want: "thrown: uncaught ReferenceError: WebAssembly is not defined\n" + `WebAssembly is off: the host can grant "wasm", to an executor with the profile "jit".`,
	},
	{
		report: "bpcreech/PyMiniRacer#77", // a bundle that signs its requests in base64url
		program: `async () => {
  const encoder = new TextEncoder();
  const base64url = (value) => {
    const bytes = encoder.encode(JSON.stringify(value));
    return btoa(Array.from(bytes, (b) => String.fromCodePoint(b)).join('')).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  };
  const unsigned = base64url({ alg: 'none' }) + '.' + base64url({ sub: 'Jörg?>', n: 1 });
  const [, payload] = unsigned.split('.');
  const json = decodeURIComponent(escape(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))));
  return { unsigned, claims: JSON.parse(json) };
}`,
		want: `{"unsigned":"eyJhbGciOiJub25lIn0.eyJzdWIiOiJKw7ZyZz8-IiwibiI6MX0","claims":{"sub":"Jörg?>","n":1}}`,
	},
	{
		report: "ClearFoundry/ClearScript#490",
		program: `(credentials) => {
  const header = 'Basic ' + btoa(credentials.user + ':' + credentials.password);
  const [user, password] = atob(header.slice('Basic '.length)).split(':');
  return { header, same: user === credentials.user && password === credentials.password, spaces: atob(' aGVs\nbG8 ') };
}`,
		input: `{"user":"aladdin","password":"open sesame"}`,
		want:  `{"header":"Basic YWxhZGRpbjpvcGVuIHNlc2FtZQ==","same":true,"spaces":"hello"}`,
	},
	{
		report: "patriksimek/vm2#357",
		program: `() => {
  const base = 'https://api.example.com/v1/';
  const links = ['users?page=2', '/health', '../v2/items#top', 'https://cdn.example.com:443/a b'];
  const absolute = links.map((link) => new URL(link, base).href);
  let problem;
  try { new URL('not an address') } catch (e) { problem = e instanceof TypeError }
  return { absolute, problem, can: URL.canParse('//x', base) };
}`,
		want: `{"absolute":["https://api.example.com/v1/users?page=2","https://api.example.com/health","https://api.example.com/v2/items#top","https://cdn.example.com/a%20b"],"problem":true,"can":true}`,
	},
	{
		report: "patriksimek/vm2#52", // console, with what people expect to read
		program: `async () => {
  const user = { id: 7, tags: ['a', 'b'], seen: new Map([['mon', 1]]) };
  console.log('user', user);
  console.info('%s has %d tags', 'Ann', user.tags.length);
  console.warn('slow', { ms: 12 });
  console.error('failed', new Set([404]));
  console.table([{ id: 1, ok: true }, { id: 2, ok: false }]);
}`,
		logs: []string{
			"log: user { id: 7, tags: [ 'a', 'b' ], seen: Map(1) { 'mon' => 1 } }",
			"info: Ann has 2 tags",
			"warn: slow { ms: 12 }",
			"error: failed Set(1) { 404 }",
			"log: ┌─────────┬────┬───────┐\n│ (index) │ id │ ok    │\n├─────────┼────┼───────┤\n│ 0       │ 1  │ true  │\n│ 1       │ 2  │ false │\n└─────────┴────┴───────┘",
		},
		want: "undefined",
	},
	{
		report: "patriksimek/vm2#417", // text as bytes, for a checksum
		program: `() => {
  const fnv1a = (bytes) => {
    let hash = 0x811c9dc5;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
    return hash.toString(16).padStart(8, '0');
  };
  const encoder = new TextEncoder();
  const target = new Uint8Array(4);
  const { read, written } = encoder.encodeInto('aé😀', target);
  return { hash: fnv1a(encoder.encode('foobar')), lengths: ['a', 'é', '€', '😀'].map((c) => encoder.encode(c).length), read, written };
}`,
		want: `{"hash":"bf9cf968","lengths":[1,2,3,4],"read":2,"written":3}`,
	},
	{
		report: "node-red/node-red#5159", // which closes #4927: a function node that builds an address
		program: `(msg) => {
  const url = new URL(msg.url);
  const params = new URLSearchParams({ ...msg.payload, page: 2 });
  params.append('tag', 'x y');
  params.append('tag', 'ü&');
  params.sort();
  url.search = params;
  msg.url = url.toString();
  msg.tags = url.searchParams.getAll('tag');
  msg.payload = Object.fromEntries(params);
  return msg;
}`,
		input: `{"url":"http://localhost:1880/search?old=1","payload":{"q":"node red"}}`,
		want:  `{"url":"http://localhost:1880/search?page=2&q=node+red&tag=x+y&tag=%C3%BC%26","payload":{"page":"2","q":"node red","tag":"ü&"},"tags":["x y","ü&"]}`,
	},
	{
		report: "n8n-io/n8n#11285", // items with binary data, and others of Node's globals
		program: `(items) => {
  const results = [];
  for (const item of items) {
    const text = Buffer.from(item.binary.data.data, 'base64').toString('utf-8');
    results.push({ json: { length: text.length } });
  }
  return results;
}`,
		input: `[{"binary":{"data":{"data":"aGVsbG8=","mimeType":"text/plain"}}}]`,
		want:  "thrown: uncaught ReferenceError: Buffer is not defined\nUse Uint8Array for bytes, TextEncoder and TextDecoder for their text, atob and btoa for base64.",
	},
	{
		report: "n8n-io/n8n#11285 (what its hint says)",
		program: `(items) => items.map((item) => {
  const bytes = Uint8Array.from(atob(item.binary.data.data), (c) => c.charCodeAt(0));
  return { json: { text: new TextDecoder().decode(bytes), length: bytes.length } };
})`,
		input: `[{"binary":{"data":{"data":"aGVsbG8=","mimeType":"text/plain"}}}]`,
		want:  `[{"json":{"text":"hello","length":5}}]`,
	},
	{
		report: "n8n-io/n8n#11285 (setImmediate)",
		program: `async () => {
  await new Promise((resolve) => setImmediate(resolve));
  return 'next turn';
}`,
		want: "thrown: uncaught ReferenceError: setImmediate is not defined\nUse setTimeout(f, 0), or queueMicrotask(f).",
	},
	{
		report: "temporalio/sdk-typescript#1564", // and #1576: an actor from a promise, which is aborted when it is stopped
		program: `async () => {
  const fromPromise = (creator) => ({
    start(input) {
      const controller = new AbortController();
      const state = { status: 'active', output: undefined, error: undefined };
      const done = Promise.resolve(creator({ input, signal: controller.signal })).then(
        (output) => { if (state.status === 'active') Object.assign(state, { status: 'done', output }) },
        (error) => { if (state.status === 'active') Object.assign(state, { status: 'error', error }) });
      return { state, done, stop: () => { state.status = 'stopped'; controller.abort() } };
    },
  });
  const logic = fromPromise(({ input, signal }) => new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(input * 2), input);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason) }, { once: true });
  }));
  const short = logic.start(2), long = logic.start(20000);
  await short.done;
  long.stop();
  await long.done;
  return [short.state.output, long.state.status];
}`,
		want: `[4,"stopped"]`,
	},
	{
		report: "temporalio/sdk-typescript#1663", // clones are of this realm
		program: `() => {
  const original = { a: [1], b: new Error('boom', { cause: 'why' }), c: new Date(0), d: new Map([['k', new Set([1])]]), e: new Uint8Array([1, 2]), f: /x/gi };
  original.self = original;
  const clone = structuredClone(original);
  const same = (key, type) => clone[key] instanceof type && clone[key] !== original[key];
  let refused;
  try { structuredClone({ f() {} }) } catch (e) { refused = e.name }
  return {
    kinds: [clone instanceof Object, same('a', Array), same('b', Error), same('c', Date), same('d', Map), same('e', Uint8Array), same('f', RegExp)],
    values: [clone.a[0], clone.b.message, clone.b.cause, clone.c.getTime(), clone.d.get('k').has(1), clone.e[1], clone.f.flags, clone.self === clone], refused,
  };
}`,
		want: `{"kinds":[true,true,true,true,true,true,true],"values":[1,"boom","why",0,true,2,"gi",true],"refused":"DataCloneError"}`,
	},
	{
		report: "statelyai/xstate-viz#205", // a machine with delays and a service that sends again and again
		program: `async () => {
  const trace = [];
  await new Promise((resolve) => {
    const states = { green: { after: 3, next: 'yellow' }, yellow: { after: 2, next: 'red' }, red: {} };
    const enter = (name) => {
      trace.push(name);
      const { after, next } = states[name];
      if (next === undefined) resolve();
      else setTimeout(enter, after, next);
    };
    enter('green');
  });
  let ticks = 0;
  await new Promise((resolve) => {
    const id = setInterval(() => {
      if (++ticks < 3) return;
      clearInterval(id);
      resolve();
    }, 1);
  });
  return { trace, ticks };
}`,
		want: `{"trace":["green","yellow","red"],"ticks":3}`,
	},
	{
		report: "Waboodoo/HTTP-Shortcuts#402",
		program: `(response) => {
  const { protocol, hostname, port, pathname, hash } = new URL(response.location, response.url);
  const code = new URLSearchParams(hash.slice(1)).get('access_token');
  return { protocol, hostname, port, pathname, code };
}`,
		input: `{"url":"https://auth.example:8443/login","location":"/done;v=1#access_token=a%2Bb&state=x"}`,
		want:  `{"protocol":"https:","hostname":"auth.example","port":"8443","pathname":"/done;v=1","code":"a+b"}`,
	},
	{
		report: "breadboard-ai/breadboard#4852", // a module's generated code, which sizes its text
		program: `async (inputs) => {
  const encoder = new TextEncoder();
  const chunks = [];
  let chunk = '', size = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(inputs.text)) {
    const bytes = encoder.encode(segment).byteLength;
    if (size + bytes > inputs.max) {
      chunks.push(chunk);
      chunk = '';
      size = 0;
    }
    chunk += segment;
    size += bytes;
  }
  return { chunks: [...chunks, chunk] };
}`,
		input: `{"text":"naïve café 👩‍👩‍👧","max":8}`,
		want:  `{"chunks":["naïve c","afé ","👩‍👩‍👧"]}`,
	},
	{
		report: "fastly/js-compute-runtime#1289", // a bound on the time of one of several requests
		program: `async () => {
  const withTimeout = async (work, ms) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new DOMException('the backend is slow', 'TimeoutError')), ms);
    try {
      return await Promise.race([work(controller.signal), new Promise((_, reject) => {
        controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
      })]);
    } finally {
      clearTimeout(timer);
    }
  };
  const settled = await Promise.allSettled([
    withTimeout(() => tools.echo('fast'), 5000),
    withTimeout(() => tools.never(), 5),
    withTimeout((signal) => new Promise((resolve, reject) => { signal.onabort = () => reject(signal.reason) }), 5),
  ]);
  const signal = AbortSignal.any([AbortSignal.abort('stop'), AbortSignal.timeout(5000)]);
  return { settled: settled.map((s) => s.value ?? s.reason.name + ': ' + s.reason.message), any: signal.reason };
}`,
		want: `{"settled":["fast","TimeoutError: the backend is slow","TimeoutError: the backend is slow"],"any":"stop"}`,
	},
	{
		report: "caido/caido#1135", // a workflow's step that reads a token
		program: `({ request }) => {
  const token = request.headers.Authorization.split(' ')[1];
  const [head, body] = token.split('.').slice(0, 2).map((part) => JSON.parse(atob(part.replace(/-/g, '+').replace(/_/g, '/'))));
  body.admin = true;
  const forged = btoa(JSON.stringify({ ...head, alg: 'none' })).replace(/=+$/, '') + '.' + btoa(JSON.stringify(body)).replace(/=+$/, '') + '.';
  return { alg: head.alg, user: body.user, forged };
}`,
		input: `{"request":{"headers":{"Authorization":"Bearer eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYm9iIn0.c2ln"}}}`,
		want:  `{"alg":"HS256","user":"bob","forged":"eyJhbGciOiJub25lIn0.eyJ1c2VyIjoiYm9iIiwiYWRtaW4iOnRydWV9."}`,
	},
	{
		report: "figma/widget-samples#32", // state that is copied before it changes
		program: `() => {
  const initial = { votes: { ann: 1 }, history: [new Date(0)] };
  const reduce = (state, { voter, at }) => {
    const next = structuredClone(state);
    next.votes[voter] = Object.hasOwn(next.votes, voter) ? next.votes[voter] + 1 : 1;
    next.history.push(new Date(at));
    return next;
  };
  const final = [{ voter: 'ann', at: 1 }, { voter: 'toString', at: 2 }].reduce(reduce, initial);
  return { votes: final.votes, at: final.history.map((d) => d.getTime()), untouched: initial.history.length === 1 && initial.votes.ann === 1 };
}`,
		want: `{"votes":{"ann":2,"toString":1},"at":[0,1,2],"untouched":true}`,
	},
	{
		report: "gakonst/nanocodex#42", // prices, dates and names in a language and a zone
		program: `() => {
  const money = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234.5);
  const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/New_York' }).format(new Date('2024-03-10T12:00:00Z'));
  const sorted = ['Zoë', 'Äpfel', 'Apfel', 'zebra'].sort(new Intl.Collator('de').compare);
  const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day');
  const rest = [new Intl.ListFormat('en').format(['a', 'b', 'c']), new Intl.PluralRules('en', { type: 'ordinal' }).select(2), new Intl.DisplayNames('fr', { type: 'region' }).of('DE')];
  return { money: money.replace(/\s/g, ' '), when: when.replace(/\s/g, ' '), sorted, ago, rest };
}`,
		want: `{"money":"1.234,50 €","when":"Mar 10, 2024, 8:00 AM","sorted":["Apfel","Äpfel","zebra","Zoë"],"ago":"yesterday","rest":["a, b, and c","two","Allemagne"]}`,
	},
	{
		report: "quickjs-ng/quickjs#467", // the same through the methods of values
		program: `() => {
  const day = new Date(Date.UTC(2024, 6, 15, 18, 30));
  return {
    number: (1451.5).toLocaleString('en-US'), percent: (0.256).toLocaleString('en-US', { style: 'percent', maximumFractionDigits: 1 }),
    indian: (1234567).toLocaleString('en-IN'), big: (12345678901234567890n).toLocaleString('de-DE'),
    date: day.toLocaleDateString('de-DE', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
    time: day.toLocaleTimeString('fr-FR', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' }),
    upper: 'istanbul'.toLocaleUpperCase('tr'), order: 'résumé'.localeCompare('resume', 'en', { sensitivity: 'base' }),
  };
}`,
		want: `{"number":"1,451.5","percent":"25.6%","indian":"12,34,567","big":"12.345.678.901.234.567.890","date":"Montag, 15. Juli 2024","time":"03:30","upper":"İSTANBUL","order":0}`,
	},
	{
		report: "anomalyco/opencode#49235", // a request to the network, which only a tool can make
		program: `async () => {
  const response = await fetch('https://api.example.com/users', { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error('status ' + response.status);
  return (await response.json()).map((user) => user.name);
}`,
		want: "thrown: uncaught ReferenceError: fetch is not defined\nThere is no network in the sandbox: use the request's tools, tools.echo, tools.args, tools.note, tools.fail, tools.never.",
	},
	{
		report: "anomalyco/opencode#49235 (what its hint says)",
		program: `async () => {
  const get = typeof fetch === 'function' ? fetch : async (url) => new Response(JSON.stringify(await tools.echo([{ name: 'Ann', url }])), { headers: { 'content-type': 'application/json' } });
  const response = await get('https://api.example.com/users');
  if (!response.ok) throw new Error('status ' + response.status);
  return (await response.json()).map((user) => user.name);
}`,
		want: `["Ann"]`,
	},
}

func TestReportedGaps(t *testing.T) {
	reports := map[string]bool{}
	for _, c := range reportedGaps {
		name, _, _ := strings.Cut(c.report, " ")
		reports[name] = true
		t.Run(c.report, func(t *testing.T) {
			var changes []change
			if c.input != "" {
				changes = append(changes, withInput(c.input))
			}
			result, _ := run(t, c.program, changes...)
			got := string(result.Value)
			switch {
			case result.Fault != nil:
				got, _, _ = strings.Cut(string(result.Fault.Code())+": "+result.Fault.Error(), "\n    at ")
			case got == "":
				got = "undefined"
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff(c.logs, levelsAndTexts(result.Logs)); diff != "" {
				t.Errorf("logs, -want +got:\n%s", diff)
			}
		})
	}
	if len(reports) != 25 {
		t.Errorf("there are %d reports", len(reports))
	}
}

// levelsAndTexts returns the log entries, each with its level in front.
func levelsAndTexts(entries []protocol.LogEntry) []string {
	var lines []string
	for _, entry := range entries {
		lines = append(lines, string(entry.Level)+": "+entry.Text)
	}
	return lines
}
