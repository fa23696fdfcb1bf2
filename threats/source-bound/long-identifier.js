/*---
title: an identifier and a property name of a hundred thousand characters
source: M34
expect: {value: [7, 8, 100000]}
---*/
() => { const name = "x".repeat(1e5); const o = { [name]: 7 }; globalThis[name] = 8; return [o[name], globalThis[name], Object.keys(o)[0].length] }
