/*---
description: The last line has no end
---*/
assert(true) // and no semicolon