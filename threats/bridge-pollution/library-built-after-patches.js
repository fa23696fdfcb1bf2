/*---
title: what of the library is first used after every built-in was replaced works as before, and calls none of them
source: P04 P09
tools: [tools.args]
expect:
  value:
    url: ["https://xn--mnchen-3ya.de/a?q=1&b=%20x", "1", "q=1+2&q=%C3%BC"]
    bytes: ["195,188", "\u00fc", "\u20ac\u00fc", "7\u20ac"]
    base64: ["aGk=", "hi", "InvalidCharacterError"]
    clone: ["1,2", true, "v", 7, "RangeError: far", "DataCloneError"]
    abort: ["why", "TimeoutError", "why", "heard"]
    events: ["seen", 5, "AT_TARGET"]
    message: [sent, true]
    blob: ["\u00fcxy", "text/plain", 4, "n.txt"]
    form: ["v", "n.txt"]
    headers: ["text/plain", "a=1;b=2, 3;content-type=text/plain;"]
    body: ["POST", sent, 1, 204]
    stream: "ab|AB|ab"
    random: [36, "4", 3, "QuotaExceededError"]
    clocks: [true, true, true, string]
    language: ["odd:1,3", "2", "6162", "1,2", "7,8", "\\x61\\.", "0.6", "true", "false"]
    tool: [[1, {a: [2]}], "the arguments of tools.args hold a function at $[0], which cannot leave the isolate"]
    timer: [later, soon]
    heard: ["Uncaught 'reported'", true]
    rejected: rejected
    called: []
logs:
  exact:
    - "log: after { a: [ 1, { b: null } ], m: Map(1) { 'k' => Set(1) { 1 } } } 5%"
    - "log: text 1.5 2 { o: [ 1 ] }%"
    - "info: counted: 1"
    - "error: Assertion failed: no"
    - "log: g"
    - "warn:   in a group"
    - "log: ┌─────────┬───┐\n│ (index) │ a │\n├─────────┼───┤\n│ 0       │ 1 │\n│ 1       │ 2 │\n└─────────┴───┘"
    - "log: [TypeError: bad] { [cause]: 'why' }"
    - "log: URL { href: 'https://xn--mnchen-3ya.de/a?q=1&b=%20x' } Headers { a: '1', b: '2, 3', 'content-type': 'text/plain' } URLSearchParams { q: '1 2', q: '\u00fc' } Blob { size: 4, type: 'text/plain' }"
    - "error: Uncaught exception: 'reported'"
    - "error: Uncaught exception in a microtask: 'thrown in a microtask'"
    - "error: Unhandled rejection: 'rejected'"
    - "error: Uncaught exception in a timer: 'thrown in a timer'"
invoked: {tools.args: 1}
---*/
async () => {
  // What is not read before the patches, so that it is built after them.
  const late = new Set(["URL", "URLSearchParams", "TextEncoder", "TextDecoder", "TextEncoderStream", "TextDecoderStream", "Event", "CustomEvent", "EventTarget",
    "AbortController", "AbortSignal", "MessageEvent", "MessageChannel", "MessagePort", "Performance", "Navigator", "Blob", "File", "FormData", "Headers", "Request", "Response",
    "ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamBYOBReader", "ReadableStreamDefaultController", "ReadableByteStreamController",
    "ReadableStreamBYOBRequest", "WritableStream", "WritableStreamDefaultWriter", "WritableStreamDefaultController", "TransformStream",
    "TransformStreamDefaultController", "ByteLengthQueuingStrategy", "CountQueuingStrategy", "Crypto", "DOMException", "QuotaExceededError",
    "ErrorEvent", "PromiseRejectionEvent", "addEventListener", "removeEventListener", "dispatchEvent"]);
  const { Array, Object, Promise, RegExp, structuredClone, atob, btoa, queueMicrotask, reportError, setTimeout } = globalThis;
  const { log, warn, count, assert, group, groupEnd, table } = console;
  const { apply, defineProperty: define, getOwnPropertyDescriptor: own, getPrototypeOf, ownKeys } = Reflect;
  const { asyncIterator, iterator } = Symbol;
  const attribute = (name) => own(globalThis, name).get;
  const getCrypto = attribute("crypto"), getPerformance = attribute("performance"), getNavigator = attribute("navigator");
  const mapGet = Map.prototype.get, setHas = Set.prototype.has, time = Date.prototype.getTime;
  const { groupBy } = Object, { withResolvers } = Promise, { fromBase64, prototype: { toHex } } = Uint8Array, { escape } = RegExp, { sumPrecise } = Math;
  const { toSorted } = Array.prototype, { isWellFormed } = String.prototype, { union } = Set.prototype, { fromAsync } = Array, { transfer } = ArrayBuffer.prototype;
  const bytesOf = (...list) => new Uint8Array(list), sent = [1, { a: [2] }], error = new TypeError("bad", { cause: "why" });
  error.stack = "";
  const logged = [{ a: [1, { b: null }], m: new Map([["k", new Set([1])]]) }, { o: [1] }, [{ a: 1 }, { a: 2 }]];
  const cloned = [[1, 2], new Map([["k", "v"]]), new Set([1]), new Date(7), new RangeError("far")];
  const second = new Set([2]), buffers = [bytesOf(65), bytesOf(0xac, 0x20, 0xfc, 0), bytesOf(0x61, 0x62), new Uint8Array(3), new Uint8Array(65537), bytesOf(0x37, 0x80)];

  // Every object that can be reached from the global and from the syntax, with how.
  const roots = [[].values(), new Map().entries(), new Set().values(), "".matchAll(/x/g), ""[iterator](), (() => {}), (async () => {}), (function* () {}),
    (async function* () {}), (function* () {})(), (async function* () {})(), Iterator.from({ next() {} }), [].values().map(String), new Intl.Segmenter().segment("")];
  const paths = new Map([[globalThis, "global"]]);
  const reach = (value, path) => {
    if ((typeof value === "object" && value !== null) || typeof value === "function") paths.set(value, paths.get(value) ?? path);
  };
  for (let i = 0; i < roots.length; i++) reach(getPrototypeOf(roots[i]), "root " + i);
  for (const [object, path] of paths) {
    reach(getPrototypeOf(object), path + ".__proto__");
    for (const key of ownKeys(object)) {
      if (object === globalThis && late.has(key)) continue;
      const { value, get, set } = own(object, key), name = path + "." + String(key);
      reach(value, name);
      reach(get, name);
      reach(set, name);
    }
  }
  const targets = [...paths.keys()], names = [...paths.values()];
  if (targets.length < 600) throw new Error("only " + targets.length + " objects are reached");

  // Replaced is what is a function: those of methods, of getters and setters, and globals.
  const called = [];
  let listening = false, replaced = 0;
  const replace = (object, key, name) => {
    const descriptor = own(object, key);
    if (descriptor === undefined || !descriptor.configurable) return;
    const hostile = function () {
      if (listening) called[called.length] = name;
      throw "patched " + name;
    };
    if (typeof descriptor.value === "function") define(object, key, { __proto__: null, value: hostile, writable: true, configurable: true });
    else if ("value" in descriptor) return;
    else define(object, key, { __proto__: null, get: hostile, set: hostile, configurable: true });
    replaced++;
  };
  const plans = [];
  for (let i = 0; i < targets.length; i++) {
    for (const key of ownKeys(targets[i])) {
      if (key === "constructor" || key === "prototype" || (targets[i] === globalThis && late.has(key))) continue;
      plans.push({ object: targets[i], key, name: names[i] + "." + String(key) });
    }
  }
  for (let i = 0; i < plans.length; i++) replace(plans[i].object, plans[i].key, plans[i].name);
  if (replaced < 600) throw "only " + replaced + " functions are replaced";
  listening = true;

  // From here on only syntax, functions kept above, and what is built now.
  const text = (list, length) => {
    let all = "";
    for (let i = 0; i < length; i++) all += (i === 0 ? "" : ",") + list[i];
    return all;
  };
  const iterable = (...list) => ({ __proto__: null, [iterator]: () => { let at = 0; return { __proto__: null, next: () => ({ __proto__: null, done: at === list.length, value: list[at++] }) } } });
  const nameOf = (act) => { try { act() } catch (e) { return e.name ?? "" + e } };
  const messageOf = async (act) => { try { await act() } catch (e) { return e.message ?? "" + e } };

  apply(log, undefined, ["after", logged[0], "5%"]);
  apply(log, undefined, ["%s %f %i %o%%", "text", 1.5, 2.5, logged[1]]);
  count("counted");
  assert(false, "no");
  group("g");
  warn("in a group");
  groupEnd();
  table(logged[2]);
  log(error);

  const url = new URL("../a?q=1&b= x", "https://m\u00fcnchen.DE/x/");
  const query = new URLSearchParams("q=1+2");
  query.append("q", "\u00fc");
  const encoded = new TextEncoder().encode("\u00fc");
  const decoder = new TextDecoder("utf-16le");
  const seen = {
    url: [url.href, url.searchParams.get("q"), query.toString()],
    bytes: [text(encoded, 2), new TextDecoder().decode(encoded), decoder.decode(buffers[1]), "" + new TextDecoder("windows-1252").decode(buffers[5])],
    base64: [btoa("hi"), atob("aGk="), nameOf(() => atob("a"))],
  };
  const clones = structuredClone(cloned);
  seen.clone = [text(clones[0], 2), apply(setHas, clones[2], [1]), apply(mapGet, clones[1], ["k"]), apply(time, clones[3], []), clones[4].name + ": " + clones[4].message,
    nameOf(() => structuredClone(log))];

  const aborter = new AbortController(), heard = [];
  aborter.signal.onabort = () => { heard[0] = "heard" };
  const both = AbortSignal.any(iterable(aborter.signal));
  aborter.abort("why");
  const expired = await new Promise((resolve) => { const signal = AbortSignal.timeout(1); signal.addEventListener("abort", () => { resolve(signal.reason.name) }) });
  seen.abort = [aborter.signal.reason, expired, both.reason, heard[0]];

  const target = new EventTarget();
  target.addEventListener("seen", (e) => { seen.events = [e.type, e.detail, e.eventPhase === e.AT_TARGET ? "AT_TARGET" : "?"] }, { __proto__: null, once: true });
  target.dispatchEvent(new CustomEvent("seen", { __proto__: null, detail: 5 }));
  const { port1, port2 } = new MessageChannel();
  seen.message = await new Promise((resolve) => { port2.onmessage = (e) => { resolve([e.data, e instanceof MessageEvent]) }; port1.postMessage("sent") });
  port1.close();

  const blob = new Blob(iterable("\u00fc", "xy"), { __proto__: null, type: "text/plain" });
  const file = new File(iterable(blob), "n.txt");
  seen.blob = [await blob.text(), blob.type, file.size, file.name];
  const form = new FormData();
  form.append("k", "v");
  form.append("f", file);
  seen.form = [form.get("k"), form.get("f").name];
  const headers = new Headers({ __proto__: null, "content-type": "text/plain", b: "2" });
  headers.append("B", "3");
  headers.set("a", "1");
  let all = "";
  headers.forEach((value, name) => { all += name + "=" + value + ";" });
  seen.headers = [headers.get("Content-Type"), all];
  const request = new Request("https://example.com/", { __proto__: null, method: "POST", body: "sent", headers: { __proto__: null, a: "1" } });
  seen.body = [request.method, await request.text(), (await new Response("{\"a\":1}").json()).a, new Response(null, { __proto__: null, status: 204 }).status];
  log(url, headers, query, blob);

  let pulls = 0, upper = "", written = "";
  const source = new ReadableStream({ __proto__: null, pull(c) { if (pulls++ < 2) c.enqueue(pulls === 1 ? "a" : "b"); else c.close() } });
  const { 0: one, 1: two } = source.tee();
  const transform = new TransformStream({ __proto__: null, transform(chunk, c) { c.enqueue(chunk === "a" ? "A" : "B") } });
  const piped = one.pipeThrough(transform).pipeTo(new WritableStream({ __proto__: null, write(chunk) { upper += chunk } }));
  for await (const chunk of two) written += chunk;
  await piped;
  let decoded = "";
  for await (const chunk of new Blob(iterable("ab")).stream().pipeThrough(new TextDecoderStream())) decoded += chunk;
  seen.stream = written + "|" + upper + "|" + decoded;

  const crypto = apply(getCrypto, globalThis, []), performance = apply(getPerformance, globalThis, []), navigator = apply(getNavigator, globalThis, []);
  const uuid = crypto.randomUUID();
  seen.random = [uuid.length, uuid[14], crypto.getRandomValues(buffers[3]) === buffers[3] ? 3 : 0, nameOf(() => crypto.getRandomValues(buffers[4]))];
  seen.clocks = [performance.now() > 0, performance.timeOrigin > 0, performance instanceof Performance, typeof navigator.userAgent];

  const { odd } = apply(groupBy, Object, [iterable(1, 3), () => "odd"]);
  const { promise, resolve } = apply(withResolvers, Promise, []);
  resolve(2);
  let taken = 0;
  const setLike = { __proto__: null, size: 1, has: () => false, keys: () => ({ __proto__: null, next: () => ({ __proto__: null, done: taken === 1, value: ++taken }) }) };
  const union12 = apply(union, second, [setLike]);
  const listed = await apply(fromAsync, Array, [iterable(7, 8)]);
  seen.language = ["odd:" + text(odd, 2), "" + (await promise), apply(toHex, fromBase64("YWI="), []), text(apply(toSorted, [2, 1], []), 2), text(listed, 2),
    apply(escape, RegExp, ["a."]), "" + sumPrecise(iterable(0.1, 0.2, 0.3)), "" + apply(setHas, union12, [1]), "" + apply(isWellFormed, "\ud800", [])];
  seen.tool = [await tools.args(sent[0], sent[1]), await messageOf(() => tools.args(log))];
  addEventListener("error", (e) => { seen.heard = [e.message, e instanceof ErrorEvent] }, { __proto__: null, once: true });
  addEventListener("unhandledrejection", (e) => { seen.rejected = e.reason });
  reportError("reported");
  (async () => { throw "rejected" })();
  queueMicrotask(() => { throw "thrown in a microtask" });
  const soon = await new Promise((resolve) => { queueMicrotask(() => { resolve("soon") }) });
  setTimeout(() => { throw "thrown in a timer" });
  seen.timer = [await new Promise((resolve) => { setTimeout(resolve, 5, "later") }), soon];
  listening = false;
  seen.called = called;
  return seen;
}
