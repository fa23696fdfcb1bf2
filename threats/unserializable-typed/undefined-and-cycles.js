/*---
title: undefined and cycles are values
source: M26
canary: true
expect: {value: {$: def, id: 1, v: {self: {$: ref, id: 1}, none: {$: undefined}}}}
---*/
() => { const o = {}; o.self = o; o.none = undefined; return o }
