/*---
title: the sort, without a comparator, of two million numbers
source: T19
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => {
  let seed = 1;
  const numbers = Array.from({ length: 2e6 }, () => (seed = (seed * 48271) % 2147483647));
  for (;;) numbers.slice().sort();
}
