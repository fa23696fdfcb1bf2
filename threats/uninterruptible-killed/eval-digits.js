/*---
title: eval, granted, of a hundred million digits
source: T12 M19
grants: [eval]
limits: {wallMs: 300, heap: 536870912}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => eval("1".repeat(1e8)) > 0
