/*---
title: setters on Array.prototype and Object.prototype capture no internal arrays
source: P06 vm2-28 GHSA-9qj6-qjgg-37qq
tools: [tools.args, tools.hostile]
expect: {value: {args: [1, [2, 3], {a: 4}], captured: []}}
invoked: {tools.args: 1}
---*/
async () => {
  const captured = [];
  for (let i = 0; i < 20; i++) {
    Object.defineProperty(Array.prototype, i, { set(value) { captured.push(String(value)) }, get() { return "inherited" }, configurable: true });
    Object.defineProperty(Object.prototype, i, { set(value) { captured.push(String(value)) }, configurable: true });
  }
  for (const name of ["kind", "text", "name", "value", "resolve", "reject", "id", "ok", "error", "source", "v", "$"]) {
    Object.defineProperty(Object.prototype, name, { set(value) { captured.push(name) }, configurable: true });
  }
  // "$" would be seen as an inherited key by a careless reader; it has no value here.
  const args = await tools.args(1, [2, 3], { a: 4 });
  await tools.hostile();
  for (let i = 0; i < 20; i++) { delete Array.prototype[i]; delete Object.prototype[i] }
  for (const name of ["kind", "text", "name", "value", "resolve", "reject", "id", "ok", "error", "source", "v", "$"]) delete Object.prototype[name];
  return { args, captured };
}
