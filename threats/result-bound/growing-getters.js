/*---
title: a proxy that answers with ever more keys
source: E08 M22
limits: {result: 65536, wallMs: 5000}
expect: {any: [{fault: result_too_large, limit: 65536}, {fault: unserializable}]}
within: 6s
---*/
() => {
  const grow = () => new Proxy({}, {
    ownKeys: () => ["a", "b", "c"],
    getOwnPropertyDescriptor: () => ({ value: grow(), enumerable: true, configurable: true, writable: true }),
    get: () => grow(),
  });
  return grow();
}
