/*---
title: fill of the longest array under the default limits, which runs into the bound of the process
source: M16
limits: {wallMs: 25000, cpuMs: 25000}
expect: {fault: memory_exceeded}
within: 20s
---*/
() => new Array(2 ** 32 - 2).fill(0).length
