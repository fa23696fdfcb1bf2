/*---
title: a program that patches Error and its stack changes nothing of another's frames
source: E12 P10
expect: {fault: thrown, text: bare}
forbid: [isogate:runtime]
---*/
() => {
  Object.defineProperty(Error.prototype, "stack", { get() { return "at isogate (host.go:1:1)".replace("isogate", "x") } });
  Error.prototype.toString = () => "patched";
  Object.defineProperty(globalThis, "Error", { value: class { } });
  throw { message: "bare", toString() { return "bare" } };
}
