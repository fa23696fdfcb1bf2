/*---
title: a text within the bound whose JSON is six times as long
source: own
limits: {result: 65536}
expect: {fault: result_too_large, limit: 65536}
within: 5s
---*/
() => "\u0001".repeat(60_000)
