/*---
title: return outside a function, which only a wrapper would allow
source: E19
expect: {fault: syntax, file: program, line: 6, reason: {contains: return}}
---*/
return () => "wrapped"
