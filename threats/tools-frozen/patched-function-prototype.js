/*---
title: a patched Function.prototype does not stand between a call and its tool
source: P09 E29
tools: [tools.add]
expect: {value: [3, 7, 11]}
invoked: {tools.add: 3}
---*/
async () => {
  Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => "patched";
  Reflect.apply = () => "patched";
  Object.prototype.add = () => "patched";
  const { add } = tools;
  return [await tools.add({ a: 1, b: 2 }), await add({ a: 3, b: 4 }), await add.call.constructor.prototype.toString && await add({ a: 5, b: 6 })];
}
