/*---
title: a syntax error on line 9 says line 9
source: own
expect: {fault: syntax, file: program, line: 9, column: 11, excerpt: {contains: "const b = ;"}}
---*/
() => {
  const a = 1;

const b = ;
}
