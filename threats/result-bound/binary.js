/*---
title: bytes whose base64 is above the bound
source: own
limits: {result: 65536}
expect: {fault: result_too_large, limit: 65536}
within: 5s
---*/
() => new Uint8Array(60_000)
