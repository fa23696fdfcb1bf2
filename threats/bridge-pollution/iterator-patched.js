/*---
title: patched iterators and species do not reach into the codec
source: P09 E03
tools: [tools.args]
expect: {value: {args: [[1, 2], {$: set, v: [3]}, {$: map, v: [[4, 5]]}], iterated: 0}}
---*/
async () => {
  let iterated = 0;
  const lists = [[1, 2], new Set([3]), new Map([[4, 5]])];
  for (const kind of [Array, Set, Map]) {
    const original = kind.prototype[Symbol.iterator];
    kind.prototype[Symbol.iterator] = function () { iterated++; return { next: () => ({ done: true }) } };
    Object.defineProperty(kind, Symbol.species, { get() { iterated++; return kind } });
  }
  const pending = tools.args(lists[0], lists[1], lists[2]);
  const args = await pending;
  return { args, iterated };
}
