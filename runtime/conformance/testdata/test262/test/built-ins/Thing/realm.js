/*---
features: [cross-realm]
---*/
$262.createRealm();
