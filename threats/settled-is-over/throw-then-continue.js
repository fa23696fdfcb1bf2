/*---
title: a program that throws while its jobs still run is over
source: L05
tools: [tools.echo]
expect: {fault: thrown, text: first}
invoked: {tools.echo: 0}
within: 2s
---*/
async () => {
  setTimeout(() => tools.echo("after the throw"), 20);
  const endless = async () => { for (;;) await new Promise(done => setTimeout(done, 1)) };
  endless();
  throw new Error("first");
}
