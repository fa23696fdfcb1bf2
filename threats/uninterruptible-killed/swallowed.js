/*---
title: an uninterruptible native inside try and finally
source: T12 T03
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: killed}
within: 1s
---*/
() => {
  for (;;) {
    try { Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1) } catch {} finally { [].includes.call({ length: 2 ** 53 - 1 }, 1) }
  }
}
