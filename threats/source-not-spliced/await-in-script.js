/*---
title: arguments, new.target and await at the top, which only a function wrapper would allow
source: E19
form: function
expect: {value: [undefined, undefined, undefined, true]}
---*/
var seen = [typeof arguments, typeof exports, typeof module, this === globalThis];
() => seen
