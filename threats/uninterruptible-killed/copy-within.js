/*---
title: copyWithin over 2**53-1 absent elements
source: T17
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)
