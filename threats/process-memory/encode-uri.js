/*---
title: encodeURIComponent of 2**28 characters
source: M05
limits: {heap: 33554432, wallMs: 8000}
expect: {any: [{fault: memory_exceeded}, {fault: deadline_exceeded}, {fault: thrown, name: RangeError}]}
resident: 700 MiB
within: 9s
---*/
() => encodeURIComponent("\u00e9".repeat(2 ** 28)).length
