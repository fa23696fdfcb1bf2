/*---
title: JSON.parse of 64 million numbers, which the heap limit does not see
source: M14
limits: {heap: 67108864, wallMs: 10000}
expect: {fault: memory_exceeded, kind: process}
resident: 420 MiB
within: 8s
---*/
() => JSON.parse("[" + "1,".repeat(2 ** 26) + "0]").length
