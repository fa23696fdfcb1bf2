/*---
title: captureStackTrace and stackTraceLimit uncover nothing
source: E12 E13
expect: {value: {string: true, foreign: false, many: true}}
---*/
() => {
  Error.stackTraceLimit = Infinity;
  const target = {};
  (function a() { (function b() { Error.captureStackTrace(target) })() })();
  const stack = String(target.stack);
  return { string: typeof target.stack === "string", foreign: /isogate|\.go:|\.cc:/.test(stack), many: stack.split("\n").length >= 3 };
}
