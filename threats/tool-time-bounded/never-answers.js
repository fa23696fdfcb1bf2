/*---
title: a tool that never answers fails its call, and the program goes on
source: T07
tools: [tools.never, tools.echo]
limits: {toolTimeMs: 150, wallMs: 5000}
expect: {value: {name: ToolTimeout, echoed: 1}}
invoked: {tools.never: 1, tools.echo: 1}
calls: 2
within: 2s
---*/
async () => {
  const name = await tools.never().then(() => "answered", e => e instanceof Error ? e.name : "no error");
  return { name, echoed: await tools.echo(1) };
}
