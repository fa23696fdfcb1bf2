/*---
title: a function that calls itself
source: M17
expect: {fault: stack_exceeded, class: program}
within: 5s
---*/
() => { const f = () => f() + 1; return f() }
