/*---
title: distinct strings that cannot be shared
source: M03
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 10s
---*/
() => { const kept = []; for (let i = 0; ; i++) kept.push(String(i).padStart(1000, String(i))) }
