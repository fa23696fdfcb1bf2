/*---
title: the same natives over few elements work
source: own
canary: true
expect: {value: [2, true, 5, [3, 2, 1], "bb-bb", "a\u0301", [1, 2, 3]]}
---*/
() => [
  Array.prototype.indexOf.call({ length: 3, 2: 1 }, 1), [1, 2].includes(2), [1, 0, 0, 0, 0, 1].lastIndexOf(1), [1, 2, 3].reverse(),
  "a-a".replaceAll("a", "bb"), "\u00e1".normalize("NFD"), Array.from(new Float64Array([3, 1, 2]).sort()),
]
