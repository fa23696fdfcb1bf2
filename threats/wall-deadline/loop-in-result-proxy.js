/*---
title: a proxy as the result whose traps never return
source: E08 own
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => new Proxy({}, { ownKeys() { for (;;) {} }, getPrototypeOf() { for (;;) {} } })
