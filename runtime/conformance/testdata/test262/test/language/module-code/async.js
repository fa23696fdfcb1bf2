/*---
flags: [module, async]
---*/
await 1;
$DONE();
