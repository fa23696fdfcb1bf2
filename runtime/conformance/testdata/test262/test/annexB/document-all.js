/*---
features: [IsHTMLDDA]
---*/
