/*---
title: more calls than allowed, one after another
source: M29
tools: [tools.echo]
limits: {toolCalls: 20, wallMs: 3000}
expect: {fault: tool_calls_exceeded, limit: 20, actual: 21}
invoked: {tools.echo: 20}
calls: 20
within: 5s
---*/
async () => { for (let i = 0; ; i++) await tools.echo(i) }
