/*---
title: a text one byte above the bound is not
source: own
limits: {result: 34}
expect: {fault: result_too_large, limit: 34, actual: 35}
---*/
() => "x".repeat(33)
