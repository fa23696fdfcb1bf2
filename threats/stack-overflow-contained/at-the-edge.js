/*---
title: tools, timers, logs and imports used where almost no stack is left
source: M17 E05
tools: [tools.echo]
expect: {value: alive}
within: 20s
---*/
async () => {
  const edge = f => { try { return edge(f) } catch { try { f() } catch { } } };
  for (const use of [
    () => tools.echo({ a: [1, 2, { b: new Map([[1, 2]]) }] }).catch(() => { }), () => console.log({ a: 1 }, new Error("x")), () => setTimeout(() => { }, 0),
    () => queueMicrotask(() => { }), () => import("x").catch(() => { }), () => Promise.reject(1).catch(() => { }), () => new Error("x").stack,
  ]) edge(use);
  await new Promise(done => setTimeout(done, 10));
  return "alive";
}
