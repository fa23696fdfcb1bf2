/*---
title: a program cannot catch the fault and go on
source: M29
tools: [tools.echo]
limits: {argument: 65536}
expect: {fault: arguments_too_large, limit: 65536}
invoked: {tools.echo: 0}
within: 5s
---*/
async () => {
  for (;;) { try { await tools.echo("x".repeat(100_000)) } catch {} }
}
