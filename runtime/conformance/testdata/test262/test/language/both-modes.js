/*---
description: Is run twice; the top level is that of a script
---*/
var declared = 1;
assert(Object.getOwnPropertyDescriptor(globalThis, 'declared').configurable === false, 'a variable of a script');
assert(this === globalThis, 'this at the top level');
