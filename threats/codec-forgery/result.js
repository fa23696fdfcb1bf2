/*---
title: escapes of every kind, forged in the result
source: own
expect:
  value:
    - {$: object, v: {$: undefined}}
    - {$: object, v: {$: bigint, v: "1"}}
    - {$: object, v: {$: ref, id: 1}}
    - {$: object, v: {$: object, v: {$: object, v: {$: date, v: 0}}}}
    - {$: object, v: {$: null}}
    - {$$: 1}
---*/
() => [
  { $: "undefined" }, { $: "bigint", v: "1" }, { $: "ref", id: 1 }, { $: "object", v: JSON.parse('{"$":"date","v":0}') }, { $: null }, { $$: 1 },
]
