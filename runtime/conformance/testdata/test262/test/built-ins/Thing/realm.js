/*---
description: A test of another realm, which only a build with the tag realms has
---*/
var other = $262.createRealm();
assert(other.global !== globalThis);
assert(other.global.Array !== Array && !(new other.global.Array() instanceof Array));
assert(other.evalScript('var ofOther = 1; this') === other.global && other.global.ofOther === 1);
assert(other.createRealm().global !== other.global);
assert(!('__isogate_boot' in other.global) && !('__isogate_create_realm' in other.global));
assert(!('__isogate_create_realm' in globalThis));
