/*---
title: an endless push of small objects
source: M01
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap, limit: 33554432, class: limit, retryable: false}
resident: 300 MiB
within: 10s
---*/
() => { const kept = []; for (;;) kept.push({ n: kept.length }) }
