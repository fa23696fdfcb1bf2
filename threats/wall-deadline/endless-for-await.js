/*---
title: an endless for await over promises that are settled at once
source: T04
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall}
within: 750ms
---*/
async () => {
  const endless = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 1 }) }) };
  let n = 0;
  for await (const one of endless) n += one;
  return n;
}
