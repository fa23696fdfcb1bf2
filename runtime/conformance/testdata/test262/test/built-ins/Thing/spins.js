/*---
description: The engine does not listen to an interrupt in this call
---*/
Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);
