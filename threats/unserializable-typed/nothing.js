/*---
title: a program that returns nothing has the value undefined
source: M26
canary: true
expect: {value: {$: undefined}}
---*/
() => {}
