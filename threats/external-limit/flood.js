/*---
title: an endless flood of buffers
source: M09
limits: {external: 16777216, wallMs: 20000}
expect: {fault: memory_exceeded, kind: external, limit: 16777216}
usage: {peakExternal: {min: 15000000, max: 16777216}}
resident: 300 MiB
within: 5s
---*/
() => { const kept = []; for (;;) kept.push(new ArrayBuffer(1 << 20)) }
