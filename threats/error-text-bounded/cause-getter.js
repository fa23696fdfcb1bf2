/*---
title: a cause whose getter makes a new cause each time
source: own
limits: {errorText: 1000, wallMs: 2000}
expect: {fault: thrown, text: outer}
within: 3s
---*/
() => {
  const make = n => Object.defineProperty(new Error("n" + n), "cause", { get: () => make(n + 1) });
  throw Object.defineProperty(new Error("outer"), "cause", { get: () => make(0) });
}
