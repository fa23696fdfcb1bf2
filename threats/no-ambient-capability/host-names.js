/*---
title: no name of a host's runtime is there
source: E21 E26
expect: {value: []}
---*/
() => [
  "require", "module", "exports", "process", "Buffer", "global", "__dirname", "__filename", "Deno", "Bun", "fetch", "XMLHttpRequest", "WebSocket",
  "Worker", "SharedWorker", "importScripts", "postMessage", "location", "document", "window", "caches", "indexedDB",
  "localStorage", "gc", "d8", "print", "read", "load", "quit", "version", "os", "std", "setImmediate", "inspector", "alert",
].filter(name => { try { return typeof globalThis[name] !== "undefined" || name in globalThis } catch { return true } })
