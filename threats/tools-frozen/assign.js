/*---
title: assignment, definition and deletion, sloppy and strict
source: E29
tools: [tools.add, tools.echo]
expect:
  value:
    changed: []
    threw: [assign, define, delete, add, prototype, global, redefine-global, delete-global]
    answer: 3
invoked: {tools.add: 1}
---*/
async () => {
  "use strict";
  const changed = [], threw = [];
  const before = tools, add = tools.add, fake = () => "fake";
  const attempts = {
    assign: () => { tools.add = fake },
    define: () => Object.defineProperty(tools, "add", { value: fake }),
    delete: () => { delete tools.add },
    add: () => { tools.more = fake },
    prototype: () => Object.setPrototypeOf(tools, { add: fake }),
    global: () => { tools = { add: fake } },
    "redefine-global": () => Object.defineProperty(globalThis, "tools", { value: { add: fake } }),
    "delete-global": () => { delete globalThis.tools },
  };
  for (const name in attempts) {
    try { attempts[name]() } catch (e) { if (e instanceof TypeError) threw.push(name) }
    if (tools !== before || tools.add !== add || tools.more) changed.push(name);
  }
  return { changed, threw, answer: await tools.add({ a: 1, b: 2 }) };
}
