/*---
flags: [module
---*/
