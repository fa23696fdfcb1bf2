/*---
title: Array.from of 2**32-2 elements
source: M16
limits: {heap: 33554432, wallMs: 3000}
expect: {any: [{fault: memory_exceeded}, {fault: deadline_exceeded}]}
resident: 400 MiB
within: 4s
---*/
() => Array.from({ length: 2 ** 32 - 2 }).length
