/*---
title: an endless loop
source: T01
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, limitMs: 300, how: interrupted, class: limit, retryable: false, started: true}
within: 750ms
---*/
() => { for (;;) {} }
