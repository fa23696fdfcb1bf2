/*---
title: queueMicrotask that queues itself for ever
source: T04
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall}
within: 750ms
---*/
() => new Promise(() => { const again = () => queueMicrotask(again); again() })
