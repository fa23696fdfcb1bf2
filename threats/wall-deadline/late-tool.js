/*---
title: a tool that answers after the deadline
source: T08
tools: [tools.slow]
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, delivered: [tools.slow]}
within: 750ms
---*/
async () => await tools.slow({ ms: 20_000 })
