/*---
negative:
  phase: resolution
  type: SyntaxError
flags: [module]
---*/
$DONOTEVALUATE();
import { missing } from './value_FIXTURE.js';
