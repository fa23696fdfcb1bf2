/*---
title: setters on Array.prototype and Object.prototype capture no internal arrays and records
source: P06 vm2-28 GHSA-9qj6-qjgg-37qq
tools: [tools.args, tools.fail]
expect: {value: {args: [1, [2, 3], {a: 4}], error: the tool failed, captured: []}}
logs: {exact: ["log: logged { a: 1 }"]}
invoked: {tools.args: 1, tools.fail: 1}
---*/
async () => {
  const captured = [], define = Object.defineProperty, keep = captured.push.bind(captured);
  const names = ["kind", "text", "name", "message", "value", "resolve", "reject", "id", "ok", "error", "source", "v", "$", "stack", "cause", "path", "what", "where"];
  const indices = Array.from({ length: 20 }, (_, i) => i);
  for (const key of indices) for (const target of [Array.prototype, Object.prototype]) {
    define(target, key, { __proto__: null, set(value) { keep(key) }, configurable: true });
  }
  for (const key of names) define(Object.prototype, key, { __proto__: null, set(value) { keep(key) }, configurable: true });
  let args, error;
  try {
    args = await tools.args(1, [2, 3], { a: 4 });
    console.log("logged", { a: 1 });
    await tools.fail();
  } catch (e) { error = e }
  for (const key of indices) { delete Array.prototype[key]; delete Object.prototype[key] }
  for (const key of names) delete Object.prototype[key];
  return { args, error: error.message, captured };
}
