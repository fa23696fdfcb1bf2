/*---
flags: [module]
---*/
throw new Error('x');
