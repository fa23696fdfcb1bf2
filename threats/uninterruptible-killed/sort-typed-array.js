/*---
title: the sort of a large typed array
source: T31
limits: {wallMs: 200}
expect: {fault: deadline_exceeded, kind: wall}
within: 1500ms
---*/
() => {
  const numbers = new Float64Array(1 << 22);
  for (let i = 0; i < 1 << 16; i++) numbers[i * 61 % numbers.length] = (i * 7919) % 104729;
  for (let i = 0; i < 100; i++) numbers.fill(i, i, i + 1000).sort();
  return numbers[0];
}
