/*---
title: an error whose fields throw, lie and are of other types
source: E05 own
expect: {fault: thrown, class: program}
within: 5s
---*/
() => {
  const error = new Error("bait");
  for (const key of ["message", "name", "stack", "cause"]) Object.defineProperty(error, key, { get() { throw new Error(key) } });
  throw new Proxy(error, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 }, has() { throw 4 } });
}
