/*---
title: shared buffers by every way to their constructor
source: M11
expect: {value: ["ReferenceError", "undefined", "undefined"]}
---*/
() => {
  const found = [];
  try { found.push(SharedArrayBuffer) } catch (error) { found.push(error.name) }
  try { found.push(typeof structuredClone === "function" ? "clone" : "none") } catch (error) { found.push(error.name) }
  for (const name of ["SharedArrayBuffer", "Atomics"]) {
    delete globalThis[name];
    found.push(typeof globalThis[name]);
  }
  return [found[0], found[2], found[3]];
}
