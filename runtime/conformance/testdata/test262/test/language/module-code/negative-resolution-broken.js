/*---
negative:
  phase: resolution
  type: SyntaxError
flags: [module]
---*/
$DONOTEVALUATE();
import './broken_FIXTURE.js';
