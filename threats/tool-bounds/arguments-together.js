/*---
title: many arguments, each allowed, that together are not
source: M29
tools: [tools.add]
limits: {toolBytes: 1000000}
expect: {fault: arguments_too_large, limit: 1000000, of: all tool calls}
invoked: {tools.add: {min: 8, max: 10}}
within: 5s
---*/
async () => { const padding = "x".repeat(100_000); for (;;) await tools.add({ a: 1, b: 2, padding }) }
