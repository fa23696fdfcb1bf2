/*---
title: promise jobs for ever under a wide wall clock
source: T04
limits: {wallMs: 8000, cpuMs: 250}
expect: {fault: deadline_exceeded, kind: cpu}
within: 1500ms
---*/
async () => { for (;;) await null }
