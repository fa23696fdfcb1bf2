/*---
negative:
  phase: runtime
  type: RangeError
flags: [module]
---*/
throw new RangeError('x');
