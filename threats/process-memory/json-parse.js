/*---
title: JSON.parse of millions of numbers, which the heap limit does not see
source: M14
limits: {heap: 67108864, wallMs: 4000}
expect: {any: [{fault: memory_exceeded}, {fault: deadline_exceeded}]}
resident: 700 MiB
within: 5s
---*/
() => JSON.parse("[" + "0.5,".repeat(2 ** 24) + "0]").length
