/*---
title: a program that waits longer than its processor time is left alone
source: own
canary: true
tools: [tools.slow]
limits: {wallMs: 8000, cpuMs: 250}
expect: {value: [done, waited]}
within: 6s
---*/
async () => [await tools.slow({ ms: 400 }), await new Promise(done => setTimeout(() => done("waited"), 400))]
