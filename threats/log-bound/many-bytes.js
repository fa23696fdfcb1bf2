/*---
title: more bytes than the bound in entries of many levels
source: M27
limits: {logBytes: 10000}
expect: {value: done}
logs: {count: {min: 9, max: 11}, dropped: {min: 3989}}
within: 10s
---*/
() => {
  for (let i = 0; i < 1000; i++) for (const level of ["debug", "info", "warn", "error"]) console[level]("x".repeat(1000));
  return "done";
}
