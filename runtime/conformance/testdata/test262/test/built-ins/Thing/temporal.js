/*---
features: [Temporal]
---*/
Temporal.Now;
