/*---
title: one line of 30 MB
source: M27
limits: {logBytes: 10000}
expect: {value: done}
logs: {count: {max: 1}, dropped: {min: 1}}
within: 10s
---*/
() => { console.log("x".repeat(30_000_000)); console.log("y"); return "done" }
