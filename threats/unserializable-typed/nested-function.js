/*---
title: a function deep in the result
source: M26
expect: {fault: unserializable, what: {contains: function}, path: "$.items[3].cb", where: result}
---*/
() => ({ items: [1, 2, 3, { cb() {} }] })
