/*---
title: a then-able whose then never returns
source: E09
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => ({ then() { for (;;) {} } })
