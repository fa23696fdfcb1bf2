/*---
title: an uncaught error's stack has the program's frames, named and placed
source: I04
canary: true
expect:
  fault: thrown
  name: RangeError
  text: inner
  stack: {matches: "(?s)^RangeError: inner\n    at inner \\(program:13:25\\)\n    at outer \\(program:14:25\\)\n    at (async )?program:15"}
forbid: [isogate:runtime]
---*/
// padding
function inner() { throw new RangeError("inner") }
function outer() { inner() }
() => { outer() }
