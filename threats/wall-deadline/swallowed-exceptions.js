/*---
title: a loop that swallows every exception
source: T01 T02
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => {
  for (;;) {
    try { for (;;) { null.property } } catch {}
  }
}
