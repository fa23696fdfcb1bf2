/*---
title: many BigInts of 128 KiB
source: M03
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 400 MiB
within: 15s
---*/
() => { const kept = []; for (let n = 1n << 1048576n; ; n++) kept.push(n) }
