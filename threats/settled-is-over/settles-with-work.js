/*---
title: a program that waits for its work sees all of it done
source: own
canary: true
tools: [tools.echo]
expect: {value: [1, 2, 3]}
invoked: {tools.echo: 3}
logs: {count: 3}
---*/
async () => {
  const out = [];
  for (const n of [1, 2, 3]) { out.push(await tools.echo(n)); console.log(n) }
  return out;
}
