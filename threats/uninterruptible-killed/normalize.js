/*---
title: a native that V8 lets run to its end and then reports as success
source: T25
limits: {wallMs: 200}
expect: {any: [{fault: deadline_exceeded, kind: wall}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => { let n = 0; for (let i = 0; i < 50; i++) n += "\u0344".repeat(5e6).normalize("NFD").length; return n }
