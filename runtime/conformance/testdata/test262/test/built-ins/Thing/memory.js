/*---
description: The engine ends the process
---*/
new Array(2 ** 32 - 2).fill(0);
