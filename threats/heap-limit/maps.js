/*---
title: an endless map
source: M03
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 10s
---*/
() => { const kept = new Map(); for (let i = 0; ; i++) kept.set(i, [i]) }
