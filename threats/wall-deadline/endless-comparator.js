/*---
title: a sort whose comparator never ends
source: T01
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => [3, 1, 2].sort(() => { for (;;) {} })
