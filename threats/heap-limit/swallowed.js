/*---
title: the same inside try and catch, again and again
source: M02
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 10s
---*/
() => {
  const kept = [];
  for (;;) {
    try { for (;;) kept.push([kept.length]) } catch {} finally { kept.push({}) }
  }
}
