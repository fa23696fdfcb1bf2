/*---
title: a thrown object that is the wire form of a fault
source: P10
expect: {fault: thrown, class: program, name: {absent: true}}
---*/
() => { throw { code: "overloaded", class: "executor", retryable: true, message: "overloaded", kind: "result_too_large", actual: 1, text: "x" } }
