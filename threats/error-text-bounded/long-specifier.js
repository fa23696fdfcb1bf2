/*---
title: a module name of ten million characters
source: M34
limits: {errorText: 1000}
expect: {fault: module_not_found, specifier: {longest: 1004}, importer: program, class: program}
within: 5s
---*/
() => import("\u0001".repeat(1e7))
