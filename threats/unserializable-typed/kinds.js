/*---
title: each kind as an argument is refused before the call
source: M26
tools: [tools.echo]
expect: {value: {refused: [function, symbol, weakmap, weakset, promise, generator, class, revoked, throwing, globalThis], sent: []}}
invoked: {tools.echo: 0}
---*/
async () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const kinds = {
    function: () => {}, symbol: Symbol("s"), weakmap: new WeakMap(), weakset: new WeakSet(), promise: Promise.resolve(1), generator: (function* () {})(),
    class: class {}, revoked: revoked.proxy, throwing: { get x() { throw new Error("mine") } }, globalThis,
  };
  const refused = [], sent = [];
  for (const name in kinds) {
    try { await tools.echo([kinds[name]]); sent.push(name) } catch (e) { if (e instanceof Error) refused.push(name) }
  }
  return { refused, sent };
}
