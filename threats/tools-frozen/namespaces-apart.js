/*---
title: two namespaces with tools of the same name stay apart, and only offered tools exist
source: E30 I08
canary: true
tools: [first.echo, first.add, second.echo]
expect: {value: {first: 1, second: 2, missing: undefined, names: [[echo, add], [echo]], unknown: TypeError}}
invoked: {first.echo: 1, second.echo: 1, first.add: 0}
---*/
async () => {
  let unknown = "none";
  try { await second.add({ a: 1, b: 2 }) } catch (e) { unknown = e.name }
  return {
    first: await first.echo(1), second: await second.echo(2), missing: typeof second.add,
    names: [Object.keys(first).sort().reverse(), Object.keys(second)], unknown,
  };
}
