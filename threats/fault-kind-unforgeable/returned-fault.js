/*---
title: a value that is the wire form of a result with a fault is a value
source: P10
expect: {value: {fault: {code: cancelled}, value: 1, usage: {wallMs: 1}}}
---*/
() => ({ fault: { code: "cancelled" }, value: 1, usage: { wallMs: 1 } })
