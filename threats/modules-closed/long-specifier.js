/*---
title: a specifier of ten million characters, caught
source: M34 E21
expect: {value: [TypeError, true]}
within: 5s
---*/
() => import("x".repeat(1e7)).then(() => ["found"], e => [e.name, e.message.length < 200_000])
