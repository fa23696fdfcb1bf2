/*---
title: calls in parallel overlap
source: own
canary: true
tools: [tools.slow]
expect: {value: {all: 10, overlapped: true}}
within: 4s
---*/
async () => {
  const start = Date.now();
  const all = await Promise.all(Array.from({ length: 10 }, () => tools.slow({ ms: 100 })));
  return { all: all.length, overlapped: Date.now() - start < 900 };
}
