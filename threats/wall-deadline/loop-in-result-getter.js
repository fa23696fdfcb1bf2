/*---
title: a getter of the result that never returns
source: own
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => ({ first: 1, get second() { for (;;) {} } })
