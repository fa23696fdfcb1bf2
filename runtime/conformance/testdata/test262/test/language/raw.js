#!/usr/bin/env js
/*---
flags: [raw]
---*/
if (typeof assert !== 'undefined' || typeof $262 !== 'undefined') throw new Error('there is a harness');
