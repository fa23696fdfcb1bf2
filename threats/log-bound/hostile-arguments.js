/*---
title: arguments that throw, lie and log while they are formatted
source: M27 E17
expect: {value: done}
logs: {count: {min: 1, max: 20}, contains: [visible]}
within: 5s
---*/
() => {
  const hostile = [
    { get field() { throw new Error("getter") } }, { toString() { throw 1 }, [Symbol.toPrimitive]() { throw 2 } },
    new Proxy({}, { get() { throw 3 }, ownKeys() { throw 4 }, getOwnPropertyDescriptor() { throw 5 }, getPrototypeOf() { throw 6 } }),
    new Proxy(() => {}, {}), Object.create(null), Symbol("s"), 1n, -0, undefined, null, NaN, [, 1],
    { toString() { console.log("inner"); return "outer" } }, { constructor: { get name() { throw 7 } } },
  ];
  for (const one of hostile) { try { console.log(one) } catch {} }
  console.log("visible");
  return "done";
}
