/*---
title: patched iterators and species do not reach into the codec
source: P09 E03
tools: [tools.args]
expect: {value: {args: [[1, 2], {$: set, v: [3]}, {$: map, v: [[4, 5]]}], reached: []}}
---*/
async () => {
  const reached = [], keep = reached.push.bind(reached);
  const lists = [[1, 2], new Set([3]), new Map([[4, 5]])], kinds = [Array, Set, Map], names = ["Array", "Set", "Map"];
  for (let i = 0; i < 3; i++) {
    kinds[i].prototype[Symbol.iterator] = function () { keep(names[i] + " iterator"); return { next: () => ({ done: true }) } };
    Object.defineProperty(kinds[i], Symbol.species, { get() { keep(names[i] + " species"); return kinds[i] } });
  }
  const args = await tools.args(lists[0], lists[1], lists[2]);
  return { args, reached };
}
