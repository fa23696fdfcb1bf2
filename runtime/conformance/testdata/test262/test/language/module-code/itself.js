/*---
description: A module that imports itself and another
flags: [module]
---*/
import { value } from './value_FIXTURE.js';
import { mine as again } from './itself.js';
import * as self from './itself.js';
export const mine = {};
assert(value === 3, 'of another');
assert(again === mine && self.mine === mine, 'its own');
assert(this === undefined, 'this in a module');
