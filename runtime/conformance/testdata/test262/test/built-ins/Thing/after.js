/*---
description: Is run behind tests that end their process
---*/
