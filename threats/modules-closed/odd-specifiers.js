/*---
title: specifiers that are objects with their own toString
source: E21
modules: {known: "export default 'known'"}
expect: {value: {calls: 1, first: known, thrown: "mine", symbol: TypeError, options: true}}
---*/
async () => {
  let calls = 0;
  const first = (await import({ toString() { calls++; return calls === 1 ? "known" : "fs" } })).default;
  const thrown = await import({ toString() { throw "mine" } }).catch(e => e);
  const symbol = await import(Symbol("s")).catch(e => e.name);
  return { calls, first, thrown, symbol, options: await import("fs").then(() => false, e => e instanceof TypeError) };
}
