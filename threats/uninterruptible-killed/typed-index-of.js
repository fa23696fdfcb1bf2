/*---
title: indexOf over a large typed array, again and again
source: T35
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => { const bytes = new Uint8Array(4e7); for (;;) bytes.indexOf(1) }
