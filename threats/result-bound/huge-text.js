/*---
title: a text of 256 MB, which is never written out
source: M22
expect: {fault: result_too_large, limit: 8388608, actual: {min: 268435456}}
resident: 200 MiB
within: 2s
---*/
() => "x".repeat(2 ** 28)
