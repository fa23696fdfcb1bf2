/*---
title: a tool argument whose getter never returns
source: E08 own
tools: [tools.echo]
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted, delivered: {absent: true}}
invoked: {tools.echo: 0}
within: 750ms
---*/
() => tools.echo({ get field() { for (;;) {} } })
