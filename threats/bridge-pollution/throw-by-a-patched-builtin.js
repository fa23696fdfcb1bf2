/*---
title: an error made inside a patched function of the language is told
source: P09 P10
expect: {fault: thrown, name: Error, text: patched, stack: {contains: "Array Iterator.broken (program:"}}
---*/
async () => {
  const define = Object.defineProperty, names = Object.getOwnPropertyNames, own = Object.getOwnPropertyDescriptor;
  const broken = () => { throw new Error("patched") };
  const roots = [Promise, Error, Symbol, Map, WeakMap, Array, String, Object.getPrototypeOf([][Symbol.iterator]())];
  for (let i = 0; i < roots.length; i++) {
    for (const object of [roots[i].prototype, roots[i]]) {
      if (!object) continue;
      const keys = names(object);
      for (let k = 0; k < keys.length; k++) {
        const d = own(object, keys[k]);
        if (d.configurable && typeof d.value === "function" && keys[k] !== "constructor") define(object, keys[k], { __proto__: null, value: broken, configurable: true });
      }
    }
  }
  for (const one of [1]) return one;
}
