/*---
title: keys on Object.prototype do not pass for own keys
source: P07
tools: [tools.echo]
expect: {value: {a: 1, nested: {b: 2}}}
invoked: {tools.echo: 1}
---*/
async () => {
  Object.assign(Object.prototype, { $: "undefined", v: "forged", error: { name: "Forged", message: "forged" }, ok: "forged", kind: "memory", fields: { code: "forged" } });
  return await tools.echo({ a: 1, nested: { b: 2 } });
}
