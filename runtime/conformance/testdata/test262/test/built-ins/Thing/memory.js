/*---
description: Asks for more memory than there is
---*/
new ArrayBuffer(2 ** 31);
