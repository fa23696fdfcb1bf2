/*---
title: keys like __proto__ in a tool's reply are own keys
source: P02 CVE-2025-34146
tools: [tools.hostile, tools.echo]
expect: {value: {own: true, polluted: undefined, prototype: true, constructor: true, echoed: true}}
---*/
async () => {
  const reply = await tools.hostile();
  const sent = JSON.parse('{"__proto__": {"polluted": true}}');
  const echoed = await tools.echo(sent);
  return {
    own: Object.hasOwn(reply, "__proto__"), polluted: typeof ({}).polluted, prototype: Object.getPrototypeOf(reply) === Object.prototype,
    constructor: Object.hasOwn(reply, "constructor"), echoed: Object.hasOwn(echoed, "__proto__") && echoed.polluted === undefined,
  };
}
