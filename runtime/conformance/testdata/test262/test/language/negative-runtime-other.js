/*---
description: Throws an error of another type, so the test fails
negative:
  phase: runtime
  type: TypeError
---*/
throw new RangeError('x');
