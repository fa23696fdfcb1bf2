/*---
title: JSON.parse of a deeply nested text
source: T28
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 3s
---*/
() => { const text = "[".repeat(5e6) + "]".repeat(5e6); for (;;) try { JSON.parse(text) } catch {} }
