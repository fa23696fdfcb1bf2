/*---
title: a recursion of some thousand levels works
source: own
canary: true
expect: {value: 2000}
---*/
() => { const f = n => n === 0 ? 0 : 1 + f(n - 1); return f(2000) }
