/*---
title: fill of an array of 1e9 elements
source: T24 M16
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => Array(1e9).fill(0).length
