/*---
title: text that would close a function wrapper and open another
source: E19
form: function
expect: {fault: syntax, file: program, line: 8}
---*/
() => 1
}); globalThis.escaped = true; (async () => {
