/*---
title: a getter that fills the heap while the value is encoded
source: M01 own
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 10s
---*/
() => ({ get field() { const kept = []; for (;;) kept.push({}) } })
