/*---
title: a proxy whose keys and values change between reads yields an object or a fault, never an escape
source: E08 own
tools: [tools.echo]
expect: {value: {kind: object, number: false}}
---*/
async () => {
  let n = 0;
  const shifting = new Proxy({}, {
    ownKeys: () => (n++ % 2 ? ["$", "v"] : ["a", "v"]),
    getOwnPropertyDescriptor: (t, key) => ({ value: key === "$" ? "bigint" : "7", enumerable: true, configurable: true, writable: true }),
    get: (t, key) => key === "$" ? "bigint" : "7",
  });
  let back;
  try { back = await tools.echo(shifting) } catch (e) { back = {} }
  return { kind: typeof back, number: typeof back === "bigint" };
}
