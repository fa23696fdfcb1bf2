/*---
description: What an added semicolon would complete
negative:
  phase: parse
  type: SyntaxError
---*/
$DONOTEVALUATE();
if (true)
