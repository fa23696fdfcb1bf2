/*---
title: a large structure that is thrown
source: own
limits: {errorText: 1000}
expect: {fault: thrown, message: {longest: 4000}}
within: 5s
---*/
() => { throw Array.from({ length: 300_000 }, (_, i) => ({ i, text: "x".repeat(10) })) }
