/*---
title: errors made by the runtime itself, by wrong use, are the program's own
source: E05
tools: [tools.echo]
expect: {value: {foreign: [], none: []}}
---*/
async () => {
  const uses = {
    symbol: () => tools.echo(Symbol("s")), "function": () => tools.echo(() => {}), timer: () => setTimeout(), text: () => setTimeout("x"),
    microtask: () => queueMicrotask(1), construct: () => new tools.echo(), frozen: () => { "use strict"; tools.x = 1 },
    proxy: () => tools.echo(new Proxy({}, { ownKeys() { throw new TypeError("mine") } })), missing: () => import("missing"),
    revoked: () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return tools.echo(proxy) },
  };
  const foreign = [], none = [];
  for (const name in uses) {
    try { await uses[name](); none.push(name) } catch (e) {
      if (!(e instanceof Error) || e.constructor.constructor !== Function || !Object.getPrototypeOf(e) instanceof Object) foreign.push(name);
      for (let chain = e; chain !== null; chain = Object.getPrototypeOf(chain)) {
        const make = Object.getOwnPropertyDescriptor(chain, "constructor")?.value;
        if (make && !(make instanceof Function)) foreign.push(name + ": constructor");
      }
    }
  }
  return { foreign, none };
}
