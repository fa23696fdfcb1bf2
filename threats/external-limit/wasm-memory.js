/*---
title: memory of WebAssembly, which would pass the limit by
source: M13
expect: {value: ["undefined", "undefined", false]}
---*/
() => {
  const before = typeof WebAssembly;
  delete globalThis.WebAssembly;
  return [before, typeof WebAssembly, Object.getOwnPropertyNames(globalThis).includes("WebAssembly")];
}
