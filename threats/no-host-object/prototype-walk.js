/*---
title: a walk over all that is reachable finds one Function, one Object and one Error
source: E02 E05 E16
tools: [tools.rich, tools.fail, tools.hostile]
expect: {value: {visited: true, foreign: []}}
within: 10s
---*/
async () => {
  let error;
  try { await tools.fail() } catch (e) { error = e }
  const promise = tools.rich();
  const start = { globalThis, tools, rich: await promise, promise, hostile: await tools.hostile(), error, console, timers: [setTimeout, clearTimeout, queueMicrotask], id: setTimeout(() => {}, 0) };
  const kinds = new Set([
    Function, (async () => {}).constructor, (function* () {}).constructor, (async function* () {}).constructor,
  ]);
  const seen = new Set([start]), queue = [[start, "start"]], foreign = [];
  const own = [Object.prototype, Function.prototype, Error.prototype, Array.prototype, Promise.prototype];
  for (let at = 0; at < queue.length; at++) {
    const [object, path] = queue[at];
    if (typeof object === "function") {
      let ends = false;
      for (let chain = object; chain !== null; chain = Object.getPrototypeOf(chain)) ends ||= chain === Function.prototype;
      if (!ends) foreign.push(path + " is a function of another realm");
      if (object !== Function.prototype && ![...kinds].some(kind => object instanceof kind)) foreign.push(path + " has a foreign constructor");
    } else {
      let chain = object, last = object;
      while ((chain = Object.getPrototypeOf(chain)) !== null) last = chain;
      // Every chain ends at this realm's Object.prototype or has no prototype at all.
      if (last !== Object.prototype && Object.getPrototypeOf(object) !== null) foreign.push(path + " ends in a foreign prototype");
    }
    const visit = (next, name) => {
      if (next !== null && (typeof next === "object" || typeof next === "function") && !seen.has(next)) { seen.add(next); queue.push([next, path + "." + name]) }
    };
    visit(Object.getPrototypeOf(object), "__proto__");
    for (const key of Reflect.ownKeys(object)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
      visit(descriptor.value, String(key)); visit(descriptor.get, String(key) + "(get)"); visit(descriptor.set, String(key) + "(set)");
    }
  }
  return { visited: seen.size > 500 && own.every(one => seen.has(one)), foreign: foreign.slice(0, 10) };
}
