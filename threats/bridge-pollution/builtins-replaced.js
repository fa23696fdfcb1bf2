/*---
title: every function of every built-in is replaced
source: P04 P09 vm2-10
tools: [tools.echo, tools.add]
expect:
  value: {echo: {list: [1, {deep: text}], map: 2, date: 1000}, sum: 3, bytes: "1,2"}
logs: {contains: ["still logged"]}
invoked: {tools.echo: 1, tools.add: 1}
---*/
async () => {
  const sent = { list: [1, { deep: "text" }], map: new Map([[1, 2]]), date: new Date(1000), bytes: new Uint8Array([1, 2]) };
  const get = Object.getOwnPropertyDescriptor(Map.prototype, "size").get, call = Reflect.apply, time = Date.prototype.getTime, own = Object.getOwnPropertyDescriptor;
  const broken = () => { throw new Error("patched") };
  const names = Object.getOwnPropertyNames, define = Object.defineProperty, isArray = Array.isArray;
  const roots = [Object, Array, String, Number, Boolean, Symbol, BigInt, Math, JSON, Reflect, Promise, Map, Set, WeakMap, WeakSet, WeakRef, RegExp, Date, Error,
    TypeError, RangeError, Function, ArrayBuffer, DataView, Uint8Array, Float64Array, Proxy, Object.getPrototypeOf(Uint8Array), Object.getPrototypeOf([][Symbol.iterator]()),
    Object.getPrototypeOf(new Map().entries()), Object.getPrototypeOf(new Set().values()), Object.getPrototypeOf(function* () { }), Object.getPrototypeOf(async function* () { })];
  for (let i = 0; i < roots.length; i++) {
    for (const object of [roots[i], roots[i].prototype]) {
      if (!object || object === Function.prototype || object === Array.prototype && false) continue;
      const keys = names(object);
      for (let k = 0; k < keys.length; k++) {
        const key = keys[k];
        if (key === "constructor" || key === "prototype" || key === "length" || key === "name") continue;
        const d = own(object, key);
        if (d.configurable && typeof d.value === "function") { try { define(object, key, { value: broken, writable: true, configurable: true }) } catch { } }
      }
    }
  }
  console.log("still logged");
  const promise = tools.echo(sent);
  const back = await promise;
  const sum = await tools.add({ a: 1, b: 2 });
  return {
    echo: { list: back.list, map: call(get, back.map, []) === 1 ? 2 : 0, date: call(time, back.date, []) }, sum, bytes: back.bytes[0] + "," + back.bytes[1],
  };
}
