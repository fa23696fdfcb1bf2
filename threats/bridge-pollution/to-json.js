/*---
title: toJSON on every prototype changes the program's own values, never what is around them
source: P03
tools: [tools.args, tools.fail]
expect: {value: "array of 2: forged, forged; the tool failed"}
invoked: {tools.args: 1, tools.fail: 1}
---*/
async () => {
  for (const kind of [Object, Array, String, Number, Boolean, Error, Map, Promise]) kind.prototype.toJSON = () => "forged";
  const args = await tools.args({ a: 1 }, [2]);
  const shape = (Array.isArray(args) ? "array of " : "no array: ") + args.length + ": " + args[0] + ", " + args[1];
  try { await tools.fail({ b: 1 }) } catch (e) { return shape + "; " + e.message }
}
