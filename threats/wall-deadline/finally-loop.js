/*---
title: a loop in finally behind a loop that was interrupted
source: T03
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => { try { for (;;) {} } finally { for (;;) {} } }
