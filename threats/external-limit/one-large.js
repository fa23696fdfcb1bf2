/*---
title: one buffer of 4 GiB
source: M10
limits: {external: 16777216}
expect: {fault: memory_exceeded, kind: external}
resident: 300 MiB
within: 2s
---*/
() => new ArrayBuffer(2 ** 32).byteLength
