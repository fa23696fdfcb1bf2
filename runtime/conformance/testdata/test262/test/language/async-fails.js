/*---
flags: [async]
---*/
Promise.reject('a reason').catch($DONE);
