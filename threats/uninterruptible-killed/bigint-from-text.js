/*---
title: a BigInt of a hundred million digits
source: T30
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => BigInt("1".repeat(1e8)) > 0n
