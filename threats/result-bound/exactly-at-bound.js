/*---
title: a text exactly at the bound is handed on whole
source: own
canary: true
limits: {result: 34}
expect: {value: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}
---*/
() => "x".repeat(32)
