/*---
title: backtracking over classes of Unicode properties
source: T11
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall}
within: 1s
---*/
() => /^(\p{L}+\p{L}*)+$/u.test("é".repeat(40) + "!")
