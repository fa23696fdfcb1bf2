/*---
flags: [async]
---*/
import('./dynamic-import_FIXTURE.js').then(function (ns) { assert(ns.default === 7); $DONE(); }).catch($DONE);
