/*---
title: replies to calls that nobody awaits, which arrive while the isolate is disposed of
source: T38
tools: [tools.echo]
expect: {value: "over"}
---*/
() => {
  for (let i = 0; i < 40; i++) tools.echo(i);
  return "over";
}
