/*---
description: In the folder
---*/
Temporal.Now;
