/*---
negative:
  phase: parse
  type: SyntaxError
flags: [module]
---*/
$DONOTEVALUATE();
with (this) {}
