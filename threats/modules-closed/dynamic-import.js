/*---
title: dynamic imports of everything that hosts offer
source: E21
expect: {value: {loaded: [], kinds: [TypeError]}}
within: 5s
---*/
async () => {
  const loaded = [], kinds = new Set();
  const specifiers = [
    "fs", "node:fs", "node:process", "child_process", "module", "vm", "/etc/passwd", "./x.js", "../x.js", "file:///etc/passwd", "https://example.com/x.js",
    "data:text/javascript,export default 1", "blob:1", "internal/bootstrap", "isogate:runtime", "std", "os", "qjs:os", "", " ", "__proto__", "constructor",
    "toString", "program", "hasOwnProperty", "\0", "\ud800",
  ];
  for (const specifier of specifiers) {
    try { await import(specifier); loaded.push(specifier) } catch (e) { kinds.add(e.constructor.name) }
  }
  return { loaded, kinds: [...kinds] };
}
