/*---
title: a symbol as the result
source: M26
expect: {fault: unserializable, what: symbol, path: "$", where: result}
---*/
() => Symbol("s")
