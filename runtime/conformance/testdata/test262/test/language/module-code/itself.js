/*---
description: A module that imports itself and another
flags: [module]
---*/
import { value } from './value_FIXTURE.js';
import { mine } from './itself.js';
export const mine = {};
import * as self from './itself.js';
assert(value === 3, 'of another');
assert(self.mine === mine, 'its own');
assert(this === undefined, 'this in a module');
