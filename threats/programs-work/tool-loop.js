/*---
title: a loop over a tool
source: own
canary: true
input: {n: 100}
tools: [tools.add]
expect: {value: 4950}
calls: 100
---*/
async ({ n }) => { let s = 0; for (let i = 0; i < n; i++) s = await tools.add({ a: s, b: i }); return s }
