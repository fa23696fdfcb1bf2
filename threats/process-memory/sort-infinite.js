/*---
title: the sort of a length of infinity, which ends V8's process at once
source: M07
limits: {heap: 33554432, wallMs: 5000}
expect: {any: [{fault: memory_exceeded}, {fault: deadline_exceeded}, {fault: thrown}, {fault: worker_crashed}]}
resident: 400 MiB
within: 6s
---*/
() => Array.prototype.sort.call({ length: Infinity })
