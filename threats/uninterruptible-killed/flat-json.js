/*---
title: JSON.parse of a hundred megabytes, which V8 lets run to its end
source: T28
limits: {wallMs: 300, heap: 536870912}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => JSON.parse("[" + "1,".repeat(5e7) + "0]").length
