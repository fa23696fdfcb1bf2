/*---
title: a module that awaits what never comes
source: T06
form: module
limits: {wallMs: 20000}
expect: {fault: stalled}
within: 1s
---*/
await new Promise(() => {});
export default 1;
