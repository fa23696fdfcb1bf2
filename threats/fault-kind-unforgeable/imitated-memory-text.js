/*---
title: an error that reads like a limit of the executor
source: P11
expect: {fault: thrown, class: program, text: "memory exceeded: the heap limit is 67108864 bytes"}
---*/
() => { throw new Error("memory exceeded: the heap limit is 67108864 bytes") }
