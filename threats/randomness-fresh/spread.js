/*---
title: random numbers are spread and do not repeat
source: own
canary: true
expect: {value: {distinct: 10000, low: true, high: true}}
---*/
() => {
  const drawn = Array.from({ length: 10_000 }, Math.random);
  return { distinct: new Set(drawn).size, low: Math.min(...drawn) < 0.01, high: Math.max(...drawn) > 0.99 && Math.max(...drawn) < 1 };
}
