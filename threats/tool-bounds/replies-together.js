/*---
title: many replies, each allowed, that together are not
source: M30
tools: [tools.big]
limits: {toolBytes: 1000000}
expect: {fault: reply_too_large, limit: 1000000, of: all tool calls}
invoked: {tools.big: {min: 9, max: 11}}
within: 5s
---*/
async () => { let n = 0; for (;;) n += (await tools.big({ bytes: 100_000 })).length }
