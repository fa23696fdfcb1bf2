/*---
description: The error comes when modules are linked, so the test fails
negative:
  phase: parse
  type: SyntaxError
flags: [module]
---*/
$DONOTEVALUATE();
import { missing } from './value_FIXTURE.js';
