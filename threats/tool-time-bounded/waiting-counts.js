/*---
title: the same program ends at its deadline when the clock counts everything
source: own
tools: [tools.slow]
limits: {wallMs: 400}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted, delivered: [tools.slow, tools.slow]}
within: 850ms
---*/
async () => [await tools.slow({ ms: 300 }), await tools.slow({ ms: 300 }), await tools.slow({ ms: 300 })]
