/*---
title: an interval that keeps the program alive
source: M31
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => new Promise(() => { setInterval(() => {}, 1) })
