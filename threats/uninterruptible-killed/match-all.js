/*---
title: match of a global expression on ten million characters, again and again
source: T27
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => { const text = "a".repeat(1e7); for (;;) text.match(/a/g) }
