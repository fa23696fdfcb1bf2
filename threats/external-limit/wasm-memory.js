/*---
title: memory of WebAssembly, which would pass the limit by
source: M13
limits: {external: 33554432}
expect: {value: ["undefined", "undefined", false]}
---*/
() => {
  if (typeof WebAssembly !== "undefined") return new WebAssembly.Memory({ initial: 3200 }).buffer.byteLength;
  const before = typeof WebAssembly;
  delete globalThis.WebAssembly;
  return [before, typeof WebAssembly, Object.getOwnPropertyNames(globalThis).includes("WebAssembly")];
}
