/*---
title: shift of 2**53-1 absent elements
source: T20 own
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => Array.prototype.shift.call({ length: 2 ** 53 - 1 })
