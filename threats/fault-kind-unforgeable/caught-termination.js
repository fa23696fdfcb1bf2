/*---
title: a program that catches everything cannot turn a deadline into a value
source: P11 T02
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, class: limit, kind: wall}
within: 1s
---*/
async () => {
  try { for (;;) {} } catch { return "caught" } finally { return "value" }
}
