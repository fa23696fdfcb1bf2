/*---
title: fill of a large typed array, again and again
source: T35 own
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => { const numbers = new Float64Array(5e6); for (;;) numbers.fill(1.5) }
