/*---
title: a program, a module and an input within the bounds work
source: own
canary: true
form: module
input: {n: 20}
modules: {double: "export default n => 2 * n"}
limits: {source: 1000, input: 64}
expect: {value: 40}
---*/
import double from "double";
export default ({ n }) => double(n);
