/*---
title: an uninterruptible native beside an open call ends by its processor time or the call's time
source: T12 own
tools: [tools.never]
wallClock: program
limits: {wallMs: 300, cpuMs: 600, toolTimeMs: 3000}
expect: {fault: deadline_exceeded, how: killed}
within: 3s
---*/
() => { tools.never().catch(() => {}); return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1) }
