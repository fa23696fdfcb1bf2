/*---
title: the same functions within the limits work
source: own
canary: true
limits: {wallMs: 20000, cpuMs: 20000}
expect: {value: [1000000, 1000, 100000, 6, 1001]}
---*/
() => [
  new Array(1e6).fill(0).length, Array.from({ length: 1000 }).length, [..."x".repeat(1e5)].length,
  encodeURIComponent("\u00e9").length, JSON.parse("[" + "0.5,".repeat(1000) + "0]").length,
]
