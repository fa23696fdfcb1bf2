/*---
title: an uninterruptible native that runs while the value is encoded
source: T12 own
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: killed}
within: 1s
---*/
() => ({ get field() { return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1) } })
