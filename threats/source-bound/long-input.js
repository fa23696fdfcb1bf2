/*---
title: an input above the bound
source: M19
input: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
limits: {input: 64}
expect: {fault: arguments_too_large, limit: 64, actual: 82, of: input, started: false}
within: 2s
---*/
input => input.length
