/*---
title: a module whose body never ends
source: T01
form: module
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
export default 1;
for (;;) {}
