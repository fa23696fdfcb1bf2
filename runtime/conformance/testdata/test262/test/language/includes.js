/*---
includes: [extra.js]
---*/
assert(included === 'included');
