/*---
title: Math.max applied to an array of a hundred million holes
source: T29
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => { for (;;) try { Math.max.apply(null, Array(1e8)) } catch {} }
