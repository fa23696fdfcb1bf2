/*---
title: an endless loop under a wide wall clock
source: T01
limits: {wallMs: 8000, cpuMs: 250}
expect: {fault: deadline_exceeded, kind: cpu, limitMs: 250, how: interrupted}
within: 1500ms
---*/
() => { for (;;) {} }
