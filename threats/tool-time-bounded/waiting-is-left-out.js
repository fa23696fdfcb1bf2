/*---
title: waiting for tools longer than the wall clock works when the clock leaves it out
source: own
canary: true
tools: [tools.slow]
wallClock: program
limits: {wallMs: 400}
expect: {value: [done, done, done]}
within: 4s
---*/
async () => [await tools.slow({ ms: 300 }), await tools.slow({ ms: 300 }), await tools.slow({ ms: 300 })]
