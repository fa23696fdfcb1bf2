/*---
title: a million small elements
source: M24
limits: {result: 65536}
expect: {fault: result_too_large, limit: 65536}
within: 5s
---*/
() => Array.from({ length: 500_000 }, (_, i) => i)
