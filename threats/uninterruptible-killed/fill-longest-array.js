/*---
title: fill of the longest array there can be
source: T24 M16
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => new Array(2 ** 32 - 1).fill(7).length
