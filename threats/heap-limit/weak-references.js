/*---
title: weak references and finalisers by the hundred thousand
source: M32
limits: {wallMs: 20000}
expect: {value: 100000}
---*/
() => {
  const registry = new FinalizationRegistry(() => { throw new Error("finalised") });
  let live = 0;
  for (let i = 0; i < 1e5; i++) {
    const target = { i };
    registry.register(target, i);
    if (new WeakRef(target).deref() === target) live++;
  }
  return live;
}
