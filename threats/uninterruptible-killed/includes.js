/*---
title: includes over 2**53-1 absent elements
source: T13
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: killed}
within: 1s
---*/
() => Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)
