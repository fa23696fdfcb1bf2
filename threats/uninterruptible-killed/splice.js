/*---
title: splice in the middle of 2**53-1 absent elements
source: T21 own
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => Array.prototype.splice.call({ length: 2 ** 53 - 1 }, 1, 1).length
