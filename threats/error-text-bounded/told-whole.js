/*---
title: an error within the bound is told whole
source: own
canary: true
expect:
  fault: thrown
  name: TypeError
  text: outer
  causes: {matches: '^\[\{"message":"inner","name":"RangeError","stack":'}
  message: {matches: "(?s)TypeError: outer.*RangeError: inner"}
---*/
() => { throw new TypeError("outer", { cause: new RangeError("inner") }) }
