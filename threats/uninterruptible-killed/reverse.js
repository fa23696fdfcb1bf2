/*---
title: reverse of 2**53-1 absent elements
source: T15
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: killed}
within: 1s
---*/
() => Array.prototype.reverse.call({ length: 2 ** 53 - 1 })
