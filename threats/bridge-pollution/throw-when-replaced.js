/*---
title: an error thrown when every function is replaced is still told
source: P04 P09 P10
tools: [tools.fail]
expect: {fault: thrown, name: Error, text: the tool failed, stack: {contains: "program:"}}
invoked: {tools.fail: 1}
---*/
async () => {
  const own = Object.getOwnPropertyDescriptor, names = Reflect.ownKeys, define = Object.defineProperty;
  const broken = () => { throw "patched" };
  const roots = [];
  for (const name of names(globalThis)) if (typeof globalThis[name] === "function") roots.push(globalThis[name]);
  roots.push(JSON, Reflect, Object.getPrototypeOf([].values()), Object.getPrototypeOf(new Map().values()));
  const targets = [];
  for (const root of roots) { targets.push(root); if (root.prototype) targets.push(root.prototype) }
  for (let i = 0; i < targets.length; i++) {
    const keys = names(targets[i]);
    for (let k = 0; k < keys.length; k++) {
      const d = own(targets[i], keys[k]);
      if (d.configurable && typeof d.value === "function" && keys[k] !== "constructor") {
        define(targets[i], keys[k], { __proto__: null, value: broken, writable: true, configurable: true });
      }
    }
  }
  await tools.fail({ a: [1] });
}
