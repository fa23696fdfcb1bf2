/*---
title: a revoked proxy in the result
source: M26
expect: {fault: unserializable, what: {contains: proxy}, path: "$.a[0]", where: result}
---*/
() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { a: [proxy] } }
