/*---
title: BigInts that double in length
source: M03
limits: {heap: 33554432, wallMs: 25000}
expect: {any: [{fault: memory_exceeded}, {fault: thrown, name: RangeError}]}
resident: 420 MiB
within: 20s
---*/
// V8 multiplies long ones with working memory outside of its heap, several times their length:
// which of the two limits is met first is the engine's affair.
() => { const kept = []; for (let n = 3n; ; n *= n) kept.push(n) }
