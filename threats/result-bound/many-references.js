/*---
title: a small graph with 2**40 paths is written once, with references
source: M24 own
tools: [tools.echo]
limits: {result: 65536, argument: 65536, wallMs: 5000}
expect: {value: {depth: 40, shared: true}}
within: 6s
---*/
async () => {
  let graph = ["leaf"];
  for (let i = 0; i < 40; i++) graph = [graph, graph];
  let level = await tools.echo(graph), depth = 0, shared = true;
  for (; Array.isArray(level[0]); level = level[0], depth++) shared &&= level[0] === level[1];
  return { depth, shared };
}
