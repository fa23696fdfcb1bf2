/*---
title: a promise that nobody settles
source: T06
limits: {wallMs: 20000}
expect: {fault: stalled, class: program, retryable: false, started: true}
within: 1s
---*/
async () => { await new Promise(() => {}) }
