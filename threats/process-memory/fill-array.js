/*---
title: fill of an array of 2**32-2 elements, which ends V8's process
source: M16
limits: {heap: 33554432, wallMs: 3000}
expect: {any: [{fault: memory_exceeded}, {fault: deadline_exceeded}]}
resident: 400 MiB
within: 4s
---*/
() => new Array(2 ** 32 - 2).fill(0).length
