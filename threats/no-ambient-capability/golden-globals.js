/*---
title: the set of globals equals the golden list
source: E26
tools: [tools.echo]
expect: {value: {extra: [], missing: [], symbols: [], inherited: []}}
---*/
() => {
  const golden = new Set(`
    Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error AggregateError
    EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer Uint8Array Int8Array
    Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map
    BigInt Set WeakMap WeakSet WeakRef FinalizationRegistry Proxy Reflect decodeURI decodeURIComponent encodeURI encodeURIComponent escape
    unescape eval isFinite isNaN
    console setTimeout setInterval clearTimeout clearInterval queueMicrotask
    tools
    AbortController AbortSignal AsyncDisposableStack Blob ByteLengthQueuingStrategy CountQueuingStrategy Crypto CustomEvent DOMException
    DisposableStack Event EventTarget File FormData Headers Iterator MessageChannel MessageEvent MessagePort Navigator Performance
    QuotaExceededError ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest
    ReadableStreamDefaultController ReadableStreamDefaultReader Request Response SuppressedError TextDecoder TextDecoderStream TextEncoder
    TextEncoderStream TransformStream TransformStreamDefaultController URL URLSearchParams WritableStream WritableStreamDefaultController
    WritableStreamDefaultWriter atob btoa crypto navigator performance reportError self structuredClone
    ErrorEvent PromiseRejectionEvent addEventListener dispatchEvent onerror onrejectionhandled onunhandledrejection removeEventListener
  `.trim().split(/\s+/));
  const found = Object.getOwnPropertyNames(globalThis), inherited = [];
  for (let at = Object.getPrototypeOf(globalThis); at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at)) {
    inherited.push(...Reflect.ownKeys(at).map(String).filter(key => key !== "constructor"));
  }
  return {
    extra: found.filter(name => !golden.has(name)), missing: [...golden].filter(name => !found.includes(name)),
    symbols: Object.getOwnPropertySymbols(globalThis).map(String).filter(name => name !== "Symbol(Symbol.toStringTag)"), inherited,
  };
}
