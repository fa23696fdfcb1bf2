/*---
title: a source URL comment does not change the name that faults give
source: E20
expect: {fault: thrown, name: Error, text: boom, stack: {contains: "program:7:15"}}
forbid: [evil.example]
---*/
() => { throw new Error("boom") }
//# sourceURL=https://evil.example/host.js
