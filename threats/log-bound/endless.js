/*---
title: an endless loop that logs ends on time
source: M27
limits: {wallMs: 300, logEntries: 50}
expect: {fault: deadline_exceeded, kind: wall}
logs: {count: 50, dropped: {min: 1}}
within: 800ms
---*/
() => { for (;;) console.log("again") }
