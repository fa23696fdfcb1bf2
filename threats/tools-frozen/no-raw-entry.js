/*---
title: nothing on the global object or on a tool leads to the functions beneath
source: E28
tools: [tools.echo]
expect: {value: {names: [], boot: undefined, keys: [echo], own: [length, name]}}
---*/
() => ({
  names: Object.getOwnPropertyNames(globalThis).filter(name => /isogate|host|boot|bridge|dispatch|native|settle|resolve$/i.test(name)),
  boot: typeof __isogate_boot,
  keys: Reflect.ownKeys(tools),
  own: Reflect.ownKeys(tools.echo).sort(),
})
