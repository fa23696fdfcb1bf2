/*---
title: a program finds its prototypes and globals as the engine made them
source: L02
canary: true
expect: {value: {own: [], object: 12, extensible: true, enumerable: [], promise: true}}
---*/
() => {
  const expected = ["constructor", "__defineGetter__", "__defineSetter__", "hasOwnProperty", "__lookupGetter__", "__lookupSetter__",
    "isPrototypeOf", "propertyIsEnumerable", "toString", "valueOf", "__proto__", "toLocaleString"];
  const found = Object.getOwnPropertyNames(Object.prototype);
  const enumerable = [];
  for (const key in {}) enumerable.push(key);
  return {
    own: found.filter(name => !expected.includes(name)), object: found.length,
    extensible: Object.isExtensible(Object.prototype) && Object.isExtensible(globalThis), enumerable,
    promise: Promise.prototype.then.name === "then" && Promise.resolve(1) instanceof Promise,
  };
}
