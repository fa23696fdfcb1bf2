/*---
description: Not run by default
---*/
