/*---
title: a result whose getter throws
source: M26 E08
expect: {any: [{fault: unserializable, path: "$.a.b"}, {fault: thrown, text: mine}]}
---*/
() => ({ a: { get b() { throw new Error("mine") } } })
