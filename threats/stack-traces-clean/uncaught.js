/*---
title: an uncaught error's stack has the program's frames, named and placed, and no other
source: I04
canary: true
expect:
  fault: thrown
  name: RangeError
  text: inner
  stack: "    at inner (program:12:26)\n    at outer (program:13:20)\n    at program:14:9"
---*/
// padding
function inner() { throw new RangeError("inner") }
function outer() { inner() }
() => { outer() }
