/*---
title: normalize and toUpperCase of 2**28 characters, past the heap's limit and the process's
source: T25 M14
limits: {heap: 67108864, wallMs: 10000}
expect: {fault: memory_exceeded}
resident: 420 MiB
within: 8s
---*/
// The text alone is larger than the heap, and its copy larger than what is left to the process:
// which of the two limits is met first is the engine's affair.
() => { const text = "x".repeat(2 ** 28); return text.normalize("NFKD").length + text.toUpperCase().length }
