/*---
title: a date of two hundred million digits
source: T34
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => new Date("0".repeat(2e8)).getTime()
