/*---
description: Is no early error, so the test fails
negative:
  phase: parse
  type: SyntaxError
---*/
$DONOTEVALUATE();
