/*---
title: BigInts that double in length
source: M03
limits: {heap: 33554432, wallMs: 20000}
expect: {any: [{fault: memory_exceeded, kind: heap}, {fault: thrown, name: RangeError}]}
resident: 400 MiB
within: 15s
---*/
() => { const kept = []; for (let n = 3n; ; n *= n) kept.push(n) }
