/*---
title: the split of a string of 1e8 characters
source: M05
limits: {heap: 33554432, wallMs: 5000}
expect: {any: [{fault: memory_exceeded}, {fault: deadline_exceeded}]}
resident: 400 MiB
within: 6s
---*/
() => "x".repeat(1e8).split("").length
