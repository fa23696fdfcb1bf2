/*---
title: Array.from of a length of 1e9
source: T16
limits: {wallMs: 200}
expect: {any: [{fault: deadline_exceeded, kind: wall}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => Array.from({ length: 1e9 }).length
