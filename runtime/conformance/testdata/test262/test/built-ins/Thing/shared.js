/*---
features: [SharedArrayBuffer]
---*/
new SharedArrayBuffer(8);
