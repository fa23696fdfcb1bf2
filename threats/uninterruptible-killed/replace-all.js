/*---
title: replaceAll over a long text, which runs on behind the deadline
source: T18
limits: {wallMs: 200, heap: 268435456}
expect: {any: [{fault: deadline_exceeded, kind: wall}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => "a".repeat(5e7).replaceAll("a", "bb").length
