/*---
description: What the host defines
---*/
assert($262.global === globalThis);
assert($262.evalScript('var ofScript = 5; ofScript') === 5);
assert(ofScript === 5);
var descriptor = Object.getOwnPropertyDescriptor(globalThis, '$262');
assert(descriptor.writable && descriptor.configurable && !descriptor.enumerable);
var thrown = 0;
try { $262.gc(); } catch (e) { thrown++; }
assert(thrown === 1);
