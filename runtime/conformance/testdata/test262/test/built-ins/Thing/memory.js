/*---
description: Takes memory without end
---*/
var chunk = new Array(1 << 20).fill(0);
for (var all = [];;) all.push(chunk.slice());
