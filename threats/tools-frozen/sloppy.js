/*---
title: the same in sloppy code changes nothing in silence
source: E29
tools: [tools.add]
expect: {value: {same: true, frozen: true, answer: 3}}
invoked: {tools.add: 1}
---*/
async () => {
  const before = tools, add = tools.add;
  tools.add = () => "fake"; delete tools.add; tools = null; delete globalThis.tools; globalThis.tools = { add: () => "fake" };
  return {
    same: tools === before && tools.add === add, frozen: Object.isFrozen(tools) && Object.isFrozen(tools.add), answer: await tools.add({ a: 1, b: 2 }),
  };
}
