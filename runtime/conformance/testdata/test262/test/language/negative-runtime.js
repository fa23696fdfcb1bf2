/*---
negative:
  phase: runtime
  type: ReferenceError
---*/
unresolvable;
