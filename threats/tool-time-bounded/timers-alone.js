/*---
title: waiting for timers without an open call counts
source: own
wallClock: program
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => new Promise(done => setTimeout(done, 60_000))
