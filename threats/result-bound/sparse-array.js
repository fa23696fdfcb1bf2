/*---
title: a sparse array of length 2**32-1
source: M24
limits: {result: 65536, wallMs: 5000}
expect: {any: [{fault: result_too_large, limit: 65536}, {fault: unserializable}]}
within: 6s
---*/
() => { const sparse = []; sparse[2 ** 32 - 2] = 1; return sparse }
