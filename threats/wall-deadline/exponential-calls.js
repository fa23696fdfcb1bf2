/*---
title: calls whose number doubles with each level
source: T40
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => { const f = n => n === 0 ? 1 : f(n - 1) + f(n - 1); return f(60) }
