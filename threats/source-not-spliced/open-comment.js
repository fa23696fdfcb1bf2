/*---
title: a comment that is not closed
source: E20
form: function
expect: {fault: syntax, file: program, line: {min: 7, max: 8}}
---*/
() => 1 /* the end of a wrapper would stand in here
