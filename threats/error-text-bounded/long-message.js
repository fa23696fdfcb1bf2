/*---
title: a message of 20 MB
source: M22 own
limits: {errorText: 1000}
expect: {fault: thrown, name: Error, text: {matches: "^xxxxxxxxxxxxxxxx", longest: 1004}, message: {longest: 4000}}
within: 5s
---*/
() => { throw new Error("x".repeat(20_000_000)) }
