/*---
title: encodeURIComponent of a long text, which V8 lets run to its end
source: T25
limits: {wallMs: 300, heap: 536870912}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => encodeURIComponent("\u00e9".repeat(2e7)).length
