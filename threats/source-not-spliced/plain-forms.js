/*---
title: a program that begins with a comment and ends without a semicolon is a function
source: own
canary: true
input: {a: [1, 2]}
expect: {value: [1, 2, 3]}
---*/
// comment
;(function named(input) { return [...input.a, 3] })
