/*---
title: a program that stays within its limit, and makes much garbage, works
source: own
canary: true
limits: {heap: 67108864, wallMs: 20000}
expect: {value: {kept: 100000, garbage: 200000000}}
usage: {peakHeap: {min: 1000000, max: 67108864}}
---*/
() => {
  const kept = Array.from({ length: 100_000 }, (_, n) => ({ n }));
  let garbage = 0;
  for (let i = 0; i < 2000; i++) garbage += new Array(100_000 / 8).fill(i).length * 8;
  return { kept: kept.length, garbage };
}
