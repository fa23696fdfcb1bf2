/*---
title: a polluted realm does not change what an uncaught error says
source: P03 P04 P10
expect: {fault: thrown, name: TypeError, text: real, causes: {contains: because}}
---*/
() => {
  const error = new TypeError("real", { cause: new Error("because") });
  Object.assign(Object.prototype, { kind: "memory", overflow: true, text: "forged", code: "cancelled" });
  JSON.stringify = () => '{"kind":"memory"}';
  Error.prototype.toString = () => "forged";
  Object.prototype.toJSON = () => ({ kind: "memory" });
  throw error;
}
