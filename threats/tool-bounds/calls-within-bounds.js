/*---
title: calls within all bounds work, in sequence and at once
source: own
canary: true
tools: [tools.add, tools.echo]
limits: {toolCalls: 28, callsInFlight: 8}
expect: {value: {sum: 190, echoes: [0, 1, 2, 3, 4, 5, 6, 7]}}
invoked: {tools.add: 20, tools.echo: 8}
calls: 28
---*/
async () => {
  let sum = 0;
  for (let i = 0; i < 20; i++) sum = await tools.add({ a: sum, b: i });
  return { sum, echoes: await Promise.all(Array.from({ length: 8 }, (_, i) => tools.echo(i))) };
}
