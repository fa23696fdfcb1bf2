/*---
title: a chain of a hundred thousand causes, and one that is a circle
source: own
limits: {errorText: 1000}
expect: {fault: thrown, text: last, message: {longest: 8000}}
within: 5s
---*/
() => {
  let error = new Error("first");
  error.cause = error;
  for (let i = 0; i < 100_000; i++) error = new Error("link " + i, { cause: error });
  throw new Error("last", { cause: error });
}
