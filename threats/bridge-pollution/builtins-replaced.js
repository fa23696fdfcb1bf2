/*---
title: every function of every built-in is replaced
source: P04 P09 vm2-10
tools: [tools.echo, tools.add]
limits: {wallMs: 8000}
expect:
  value: {list: [1, {deep: text}], size: 1, date: 1000, sum: 3, bytes: "1,2"}
logs: {contains: ["still logged"]}
invoked: {tools.echo: 1, tools.add: 1}
---*/
async () => {
  const sent = { list: [1, { deep: "text" }], map: new Map([[1, 2]]), date: new Date(1000), bytes: new Uint8Array([1, 2]) };
  const size = Object.getOwnPropertyDescriptor(Map.prototype, "size").get, apply = Reflect.apply, time = Date.prototype.getTime;
  const own = Object.getOwnPropertyDescriptor, names = Reflect.ownKeys, define = Object.defineProperty;
  const broken = () => { throw "patched" };
  const iterators = [[].values(), new Map().entries(), new Set().values(), "".matchAll(/x/g), ""[Symbol.iterator]()].map(i => Object.getPrototypeOf(i));
  const roots = [JSON, Math, Reflect, Intl, console, Object.getPrototypeOf(Uint8Array), ...iterators, Object.getPrototypeOf(iterators[0]),
    Object.getPrototypeOf(function* () { }), Object.getPrototypeOf(async function* () { }), Object.getPrototypeOf(async () => { })];
  for (const name of names(globalThis)) {
    const value = globalThis[name];
    if (typeof value === "function" && name !== "Object" && name !== "eval") roots.push(value);
  }
  roots.push(Object);
  const targets = [];
  for (const root of roots) { targets.push(root); if (root.prototype) targets.push(root.prototype) }
  // From here on nothing that is patched may be used: plain loops and the functions kept above.
  for (let i = 0; i < targets.length; i++) {
    const keys = names(targets[i]);
    for (let k = 0; k < keys.length; k++) {
      const d = own(targets[i], keys[k]);
      if (d.configurable && typeof d.value === "function" && keys[k] !== "constructor" && targets[i] !== console) {
        define(targets[i], keys[k], { __proto__: null, value: broken, writable: true, configurable: true });
      }
    }
  }
  console.log("still logged", { a: [1] });
  const back = await tools.echo(sent);
  return {
    list: back.list, size: apply(size, back.map, []), date: apply(time, back.date, []), sum: await tools.add({ a: 1, b: 2 }), bytes: back.bytes[0] + "," + back.bytes[1],
  };
}
