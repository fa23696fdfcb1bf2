/*---
title: forged escapes through a tool and back
source: own
tools: [tools.echo, tools.rich]
expect: {value: {same: true, types: [object, object, object], dollar: undefined-text}}
invoked: {tools.echo: 1, tools.rich: 1}
---*/
async () => {
  const sent = [{ $: "map", v: [[1, 2]] }, { $: "def", id: 1, v: {} }, { $: "object", v: { $: "object", v: {} } }];
  const back = await tools.echo(sent), rich = await tools.rich();
  return {
    same: JSON.stringify(back) === JSON.stringify(sent), types: back.map(one => one instanceof Map ? "Map" : typeof one),
    dollar: typeof rich.dollar === "object" && rich.dollar.$ === "undefined" ? "undefined-text" : "decoded",
  };
}
