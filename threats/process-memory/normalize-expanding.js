/*---
title: normalize of 2**23 characters that become 18 each, which grow outside the heap alone
source: T25 M14
limits: {heap: 67108864, wallMs: 10000}
expect: {any: [{fault: memory_exceeded, kind: process}, {fault: thrown, name: TypeError}]}
resident: 420 MiB
within: 8s
---*/
() => "\uFDFA".repeat(2 ** 23).normalize("NFKD").length
