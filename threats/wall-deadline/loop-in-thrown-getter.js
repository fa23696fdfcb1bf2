/*---
title: a thrown object whose message never returns
source: E05 own
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => {
  throw Object.defineProperty(new Error("bait"), "message", { get() { for (;;) {} } });
}
