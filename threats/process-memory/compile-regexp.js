/*---
title: a regular expression of three million alternatives, compiled outside the heap
source: M21 own
limits: {heap: 67108864, wallMs: 10000}
expect: {any: [{fault: memory_exceeded, kind: process}, {fault: thrown, name: SyntaxError}]}
resident: 420 MiB
within: 8s
---*/
() => new RegExp("(?:" + "a|".repeat(3e6) + "b)").test("c")
