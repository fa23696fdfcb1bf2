/*---
title: new Function, granted, of a hundred million characters
source: T25 M19
grants: [eval]
limits: {wallMs: 300, heap: 536870912}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => new Function("x;".repeat(5e7)).length
