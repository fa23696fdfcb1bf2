/*---
title: the product of large BigInts, again and again
source: T32
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => { let n = 3n ** 100000n; for (;;) n = (n * n) % (1n << 4000000n) + 3n }
