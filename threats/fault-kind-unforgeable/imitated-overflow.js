/*---
title: an error that reads like a stack overflow stays a fault of the program
source: P11
expect: {any: [{fault: thrown, class: program}, {fault: stack_exceeded, class: program}]}
---*/
() => { throw new RangeError("Maximum call stack size exceeded") }
