/*---
title: with the grant it works
source: own
canary: true
grants: [eval]
expect: {value: [2, 3, 4]}
---*/
async () => [eval("1+1"), new Function("a", "return a + 1")(2), await new (async () => {}).constructor("return 4")()]
