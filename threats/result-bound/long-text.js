/*---
title: a text of 20 MB under a bound of 64 KiB
source: M22
limits: {result: 65536}
expect: {fault: result_too_large, limit: 65536, actual: {min: 65537}, class: limit}
within: 5s
---*/
() => "x".repeat(20_000_000)
