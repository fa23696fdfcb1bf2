/*---
flags: [async]
---*/
