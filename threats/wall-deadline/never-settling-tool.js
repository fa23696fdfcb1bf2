/*---
title: a tool that never answers
source: T07
tools: [tools.never]
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted, delivered: [tools.never]}
calls: 1
invoked: {tools.never: 1}
usage: {pendingCalls: 1}
within: 750ms
---*/
async () => { await tools.never(); return "answered" }
