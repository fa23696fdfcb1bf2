/*---
title: huge and cyclic structures as arguments
source: M27
limits: {logBytes: 20000, wallMs: 20000}
expect: {value: done}
logs: {count: {min: 1}}
within: 10s
---*/
() => {
  const cyclic = { list: Array.from({ length: 200_000 }, (_, i) => ({ i })) };
  cyclic.self = cyclic;
  console.log(cyclic);
  console.log(new Array(1e9), new Map([[cyclic, cyclic]]), new Uint8Array(1e6));
  return "done";
}
