/*---
title: an endless chain of closures
source: M03
limits: {heap: 33554432, wallMs: 30000, cpuMs: 30000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 20s
---*/
() => { let last = null; for (;;) { const before = last, text = [1, 2, 3, 4, 5, 6, 7, 8]; last = () => [before, text] } }
