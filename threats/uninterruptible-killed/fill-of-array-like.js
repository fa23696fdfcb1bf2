/*---
title: fill of an object that says it has 2**53-1 elements
source: T23
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1)
