/*---
title: a call that timed out, uncaught, is the program's error and no deadline
source: T07 W13
tools: [tools.never]
limits: {toolTimeMs: 100, wallMs: 5000}
expect: {fault: thrown, class: program, name: ToolTimeout, text: {contains: tools.never}, delivered: [tools.never]}
within: 2s
---*/
() => tools.never()
