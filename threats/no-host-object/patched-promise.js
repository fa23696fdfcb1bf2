/*---
title: a patched Promise.prototype.then sees no promise of the runtime and changes no outcome
source: E11 CVE-2023-37466
tools: [tools.echo]
expect: {value: {answer: 5, foreign: 0}}
---*/
async () => {
  let foreign = 0;
  const then = Promise.prototype.then;
  Promise.prototype.then = function (...handlers) {
    for (const handler of handlers) if (typeof handler === "function" && !(handler instanceof Function)) foreign++;
    return then.apply(this, handlers);
  };
  Promise.prototype.catch = Promise.prototype.finally = function () { return "patched" };
  const species = { get() { foreign++; return Promise } };
  const answer = await tools.echo(5);
  return { answer, foreign };
}
