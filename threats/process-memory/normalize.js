/*---
title: normalize and toUpperCase of 2**28 characters, which allocate outside the heap
source: T25 M14
limits: {heap: 67108864, wallMs: 10000}
expect: {fault: memory_exceeded, kind: process}
resident: 420 MiB
within: 8s
---*/
() => { const text = "x".repeat(2 ** 28); return text.normalize("NFKD").length + text.toUpperCase().length }
