/*---
title: a regular expression that backtracks exponentially
source: T09
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall}
within: 750ms
---*/
() => /^(a+)+$/.test("a".repeat(60) + "b")
