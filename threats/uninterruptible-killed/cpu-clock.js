/*---
title: an uninterruptible native under a wide wall clock is ended by the processor clock
source: T12 own
limits: {wallMs: 20000, cpuMs: 300}
expect: {fault: deadline_exceeded, kind: cpu, how: killed}
within: 3s
---*/
() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)
