/*---
description: Fails in one of two modes
---*/
assert((function () { return this; })() === globalThis, 'the global object');
