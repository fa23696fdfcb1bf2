/*---
title: text that would close a call and swallow what follows
source: E19
form: function
expect: {fault: syntax, file: program, line: 7}
---*/
() => 1); escaped(); (/*
