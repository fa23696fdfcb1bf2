/*---
title: name, stack, cause and fields of a megabyte each
source: own
limits: {errorText: 1000}
expect: {fault: thrown, message: {longest: 6000}, value: {absent: true}}
within: 5s
---*/
() => {
  const long = "x".repeat(1_000_000);
  const error = Object.assign(new Error(long, { cause: new Error(long, { cause: long }) }), { name: long, field: long });
  error.stack = long;
  throw error;
}
