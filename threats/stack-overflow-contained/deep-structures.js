/*---
title: structures nested too deeply for recursive functions
source: M17
expect: {value: [true, true, true, alive]}
within: 20s
---*/
() => {
  const survive = f => { try { f(); return true } catch (e) { return e instanceof RangeError || e instanceof SyntaxError } };
  let deep = [];
  for (let i = 0; i < 200_000; i++) deep = [deep];
  return [
    survive(() => JSON.stringify(deep)), survive(() => JSON.parse("[".repeat(200_000) + "]".repeat(200_000))), survive(() => new RegExp("(".repeat(50_000) + ")".repeat(50_000))), "alive",
  ];
}
