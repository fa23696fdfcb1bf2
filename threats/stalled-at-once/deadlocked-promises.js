/*---
title: two promises that wait for each other, behind work that ends
source: T06
tools: [tools.echo]
limits: {wallMs: 20000}
expect: {fault: stalled, delivered: [tools.echo]}
within: 1s
---*/
async () => {
  await tools.echo(1);
  await new Promise(done => setTimeout(done, 5));
  let a, b;
  a = new Promise(done => setTimeout(done, 1)).then(() => b);
  b = new Promise(done => setTimeout(done, 1)).then(() => a);
  return Promise.all([a, b]);
}
