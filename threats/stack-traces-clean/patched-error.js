/*---
title: a program that patches Error and its stack uncovers nothing in what is told of a thrown object
source: E12 P10
expect: {fault: thrown, class: program, text: {contains: bare}, stack: {absent: true}}
---*/
() => {
  Object.defineProperty(Error.prototype, "stack", { get() { return "at isogate (host.go:1:1)".replace("isogate", "x") } });
  Error.prototype.toString = () => "patched";
  Object.defineProperty(globalThis, "Error", { value: class { } });
  throw { message: "bare", toString() { return "bare" } };
}
