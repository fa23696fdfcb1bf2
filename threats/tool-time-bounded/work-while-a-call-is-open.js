/*---
title: a program that works while a call is open does not stop its clock
source: T01 own
tools: [tools.never]
wallClock: program
limits: {wallMs: 300, toolTimeMs: 5000}
expect: {fault: deadline_exceeded, kind: wall}
within: 1500ms
---*/
() => { tools.never().catch(() => {}); for (;;) {} }
