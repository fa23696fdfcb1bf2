/*---
title: jobs that queue two jobs each
source: M03 T04
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 15s
---*/
() => new Promise(() => { const fork = () => { queueMicrotask(fork); queueMicrotask(fork) }; fork() })
