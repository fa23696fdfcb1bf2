/*---
title: accessors on the prototypes of records and lists see nothing of what the library builds and does after them
source: P06 P07
tools: [tools.args]
expect:
  value:
    url: ["https://example.com/b?q=1", "1"]
    text: ["195,188", "\u00fc", "aGk="]
    clone: ["1,2", "DataCloneError"]
    abort: [why, AbortError]
    event: [seen, 5]
    message: sent
    blob: [text, "text/plain"]
    form: "v"
    headers: "a=1;b=2, 3;"
    body: ["POST", sent, 1]
    stream: "ab|ab"
    clocks: [36, true, string]
    tool: [1, {a: 2}]
    heard: "Uncaught 'reported'"
    seen: []
logs: {exact: ["log: logged { a: 1 } [ 1, 2 ] { a: [Getter] } [ [Getter] ]", "info: counted: 1", "log: URL { href: 'https://example.com/b?q=1' }", "error: Unhandled rejection: 'rejected'", "error: Uncaught exception: 'reported'"]}
invoked: {tools.args: 1}
---*/
async () => {
  const { Promise, structuredClone, reportError, setTimeout } = globalThis, { log, count } = console, { apply, defineProperty: define, getOwnPropertyDescriptor: own, ownKeys } = Reflect;
  const { iterator } = Symbol, attribute = (name) => own(globalThis, name).get;
  const getCrypto = attribute("crypto"), getPerformance = attribute("performance"), getNavigator = attribute("navigator");
  // Indices, what descriptors and results of iterators have, and names that a library may give to its fields and exports.
  const keys = ["get", "set", "value", "name", "message", "stack", "length", "code", "writable", "enumerable", "configurable", "done", "kind", "what", "path", "where", "$", "id", "v", "ok", "error", "fields", "cause", "text",
    "count", "height", "level", "resolve", "reject", "callback", "args", "repeat", "nesting", "internal", "href", "index", "depth", "size", "host", "hostname", "port", "type",
    "source", "flags", "causes", "scheme", "username", "password", "query", "fragment", "url", "searchParams", "list", "items", "head", "queue", "state", "reader", "controller",
    "promise", "settled", "started", "pulling", "pull", "cancel", "start", "write", "close", "abort", "transform", "flush", "chunkSteps", "closeSteps", "errorSteps", "stream",
    "readable", "writable", "bytes", "blob", "slots", "endings", "lastModified", "signal", "aborted", "reason", "once", "passive", "capture", "listener", "listeners", "target",
    "bubbles", "cancelable", "composed", "detail", "data", "ports", "transfer", "headers", "body", "method", "mode", "status", "statusText", "redirect", "guard", "has", "of", "add",
    "describe", "serialize", "deserialize", "build", "exports", "URL", "URLSearchParams", "TextEncoder", "TextDecoder", "EventTarget", "Event", "Blob", "File", "Headers", "FormData",
    "ReadableStream", "fatal", "ignoreBOM", "encoding", "inspectDepth", "brand", "tag", "entries", "map", "memory", "seen", "handler", "options", "timeout", "highWaterMark"];
  for (let i = 0; i < 64; i++) keys.push(String(i));
  const seen = [], { prototype } = Object;
  let listening = false, noted = 0;
  const computed = [0];
  define(computed, 0, { __proto__: null, get: () => 1, enumerable: true, configurable: true });
  const note = (what) => { if (listening) define(seen, noted++, { __proto__: null, value: what, enumerable: true, configurable: true, writable: true }) };
  for (const object of [prototype, Array.prototype, Function.prototype, Promise.prototype, Map.prototype]) {
    for (const key of keys) {
      if (Object.hasOwn(object, key)) continue;
      define(object, key, {
        __proto__: null, configurable: true, get() { note("get " + key) },
        set(value) { note("set " + key); define(this, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true }) },
      });
    }
  }
  listening = true;

  const iterable = (one) => ({ __proto__: null, [iterator]: () => { let left = 1; return { __proto__: null, next: () => ({ __proto__: null, done: left-- === 0, value: one }) } } });
  const nameOf = (act) => { try { act() } catch (e) { return e.name } };
  log("logged", { a: 1 }, [1, 2], { get a() { return 1 } }, computed);
  count("counted");
  const url = new URL("b?q=1", "https://example.com/a"), bytes = new TextEncoder().encode("\u00fc");
  const result = { __proto__: null, url: [url.href, url.searchParams.get("q")], text: [bytes[0] + "," + bytes[1], new TextDecoder().decode(bytes), btoa("hi")] };
  log(url);
  const clone = structuredClone([1, 2]);
  result.clone = [clone[0] + "," + clone[1], nameOf(() => structuredClone(log))];
  const aborter = new AbortController(), event = [];
  aborter.abort("why");
  result.abort = [aborter.signal.reason, AbortSignal.abort().reason.name];
  const target = new EventTarget();
  target.addEventListener("seen", (e) => { result.event = [e.type, e.detail] }, { __proto__: null, once: true });
  target.dispatchEvent(new CustomEvent("seen", { __proto__: null, detail: 5 }));
  const channel = new MessageChannel();
  result.message = await new Promise((resolve) => { channel.port2.onmessage = (e) => { resolve(e.data) }; channel.port1.postMessage("sent") });
  channel.port1.close();
  const blob = new Blob(iterable("text"), { __proto__: null, type: "text/plain" });
  result.blob = [await blob.text(), blob.type];
  const form = new FormData();
  form.append("k", "v");
  result.form = form.get("k");
  const headers = new Headers({ __proto__: null, b: "2", a: "1" });
  headers.append("B", "3");
  result.headers = "";
  headers.forEach((value, name) => { result.headers += name + "=" + value + ";" });
  const request = new Request("https://example.com/", { __proto__: null, method: "POST", body: "sent" });
  result.body = [request.method, await request.text(), (await new Response('{"x":1}').json()).x];
  let pulls = 0, written = "", read = "";
  const stream = new ReadableStream({ __proto__: null, pull(c) { if (pulls++ < 2) c.enqueue(pulls === 1 ? "a" : "b"); else c.close() } });
  const pair = stream.tee();
  const piped = pair[0].pipeThrough(new TransformStream()).pipeTo(new WritableStream({ __proto__: null, write(chunk) { written += chunk } }));
  for await (const chunk of pair[1]) read += chunk;
  await piped;
  result.stream = written + "|" + read;
  result.clocks = [apply(getCrypto, globalThis, []).randomUUID().length, apply(getPerformance, globalThis, []).now() > 0, typeof apply(getNavigator, globalThis, []).userAgent];
  (async () => { throw "rejected" })();
  result.tool = await tools.args(1, { a: 2 });
  addEventListener("error", (e) => { result.heard = e.message });
  reportError("reported");
  await new Promise((resolve) => { setTimeout(resolve, 1) });
  listening = false;
  result.seen = seen;
  for (const object of [prototype, Array.prototype, Function.prototype, Promise.prototype, Map.prototype]) for (const key of keys) delete object[key];
  return result;
}
