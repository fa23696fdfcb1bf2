/*---
title: a syntax error on line 10 says line 10
source: own
expect: {fault: syntax, file: program, line: 10, column: 11, excerpt: {contains: "const b = ;"}}
---*/
() => {
  const a = 1;

const b = ;
}
