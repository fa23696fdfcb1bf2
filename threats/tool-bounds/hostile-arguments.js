/*---
title: arguments that are proxies, getters and cycles reach the tool as data
source: E03 E04 E08
tools: [tools.echo]
expect:
  value:
    proxy: {a: 1}
    species: [1, 2]
    primitive: {}
    instances: 0
invoked: {tools.echo: 3}
---*/
async () => {
  let instances = 0;
  class Hostile extends Array {
    static get [Symbol.species]() { instances++; return Hostile }
  }
  return {
    proxy: await tools.echo(new Proxy({ a: 1 }, {})),
    species: await tools.echo(Hostile.from([1, 2])),
    primitive: await tools.echo({ [Symbol.toPrimitive]: () => "text", [Symbol.hasInstance]: () => true }),
    instances,
  };
}
