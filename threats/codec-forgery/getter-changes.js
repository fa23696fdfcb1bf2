/*---
title: a getter that answers differently each time cannot slip an escape through
source: own
expect:
  value: {any: true}
---*/
() => {
  // What a second read would return must not be spliced in behind the check of the first.
  let reads = 0;
  const shifty = { get $() { reads++; return reads === 1 ? 1 : "undefined" }, v: "x" };
  globalThis.shifty = shifty;
  const probe = new Proxy({ a: 1 }, { ownKeys: () => ["a"], get: (target, key) => key === "a" ? { $: "bigint", v: "5" } : undefined });
  return { any: typeof probe.a.$ === "string" };
}
