/*---
title: jobs behind the one that settles the value call no tool and log nothing
source: W10 E28
tools: [tools.echo]
expect: {value: settled}
invoked: {tools.echo: 0}
logs: {count: 0}
---*/
async () => {
  // Settling takes a few jobs; this chain is longer.
  let chain = Promise.resolve();
  for (let i = 0; i < 1000; i++) chain = chain.then(() => {});
  chain.then(() => { console.log("late"); tools.echo("late") });
  return "settled";
}
