/*---
title: a search through 127 MB that finds nothing
source: T33
limits: {wallMs: 300, heap: 536870912}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => { const text = "a".repeat(1.27e8); for (;;) /ab+c/.test(text) }
