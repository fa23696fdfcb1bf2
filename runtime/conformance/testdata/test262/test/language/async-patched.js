/*---
description: What the test does to promises does not matter to its outcome
flags: [async]
---*/
var then = Promise.prototype.then;
then.call(Promise.resolve(), function () { $DONE(); });
Promise.prototype.then = function () { throw 1; };
Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 2; } });
