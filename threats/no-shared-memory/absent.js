/*---
title: the names are absent, also after deleting them and from every constructor
source: E24 E25 S03 S04
expect:
  value:
    types: [undefined, undefined, undefined]
    own: []
    after-delete: [undefined, undefined, undefined]
    shared-tag: false
---*/
() => {
  const names = ["WebAssembly", "SharedArrayBuffer", "Atomics"];
  const types = names.map(name => typeof globalThis[name]);
  const own = names.filter(name => name in globalThis || Object.getOwnPropertyDescriptor(globalThis, name));
  for (const name of names) delete globalThis[name];
  const seen = new Set(), queue = [globalThis];
  let shared = false;
  for (let at = 0; at < queue.length; at++) {
    for (const key of Reflect.ownKeys(queue[at])) {
      if (/Shared|Atomics|WebAssembly/.test(String(key))) shared = true;
      const descriptor = Reflect.getOwnPropertyDescriptor(queue[at], key);
      for (const next of [descriptor.value, descriptor.get, descriptor.set]) {
        if (next !== null && (typeof next === "object" || typeof next === "function") && !seen.has(next)) { seen.add(next); queue.push(next) }
      }
    }
  }
  return { types, own, "after-delete": names.map(name => typeof globalThis[name]), "shared-tag": shared };
}
