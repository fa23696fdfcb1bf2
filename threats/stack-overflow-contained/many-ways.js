/*---
title: recursion through getters, proxies, toString, JSON, sort, replace, spread and classes is caught each time
source: M17
expect: {value: [RangeError, RangeError, RangeError, RangeError, RangeError, RangeError, RangeError, RangeError, RangeError, RangeError]}
within: 20s
---*/
() => {
  const name = f => { try { f(); return "none" } catch (e) { return e.name } };
  const getter = { get x() { return this.x } };
  const proxy = new Proxy({}, { get: (t, k, r) => r[k] });
  const text = { toString() { return `${this}` } };
  const json = { toJSON() { return JSON.stringify(this) } };
  const compare = () => [2, 1].sort(compare);
  const replace = () => "a".replace("a", replace);
  const map = () => [1].map(map);
  const make = class { constructor() { new make() } };
  const bound = Function.prototype.call.bind(function f() { bound() });
  const nest = () => Reflect.apply(nest, null, []);
  return [
    name(() => getter.x), name(() => proxy.x), name(() => String(text)), name(() => JSON.stringify(json)), name(compare), name(replace), name(map),
    name(() => new make()), name(bound), name(nest),
  ];
}
