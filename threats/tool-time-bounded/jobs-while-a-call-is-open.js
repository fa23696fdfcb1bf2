/*---
title: jobs without end while a call is open do not stop the clock
source: T04 own
tools: [tools.never]
wallClock: program
limits: {wallMs: 300, toolTimeMs: 5000}
expect: {fault: deadline_exceeded, kind: wall}
within: 1500ms
---*/
async () => { tools.never().catch(() => {}); for (;;) await null }
