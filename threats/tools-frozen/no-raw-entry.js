/*---
title: nothing on the global object or on a tool leads to the functions beneath
source: E28
tools: [tools.echo]
expect: {value: {names: [], boot: undefined, keys: [echo], own: [length, name]}}
---*/
// dispatchEvent is the DOM's: of the global object's own events.
() => ({
  names: Object.getOwnPropertyNames(globalThis).filter(name => name !== "dispatchEvent" && /isogate|host|boot|bridge|dispatch|native|settle|resolve$/i.test(name)),
  boot: typeof __isogate_boot,
  keys: Reflect.ownKeys(tools),
  own: Reflect.ownKeys(tools.echo).sort(),
})
