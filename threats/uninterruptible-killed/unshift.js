/*---
title: unshift before 2**53-2 absent elements
source: T20 own
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1)
