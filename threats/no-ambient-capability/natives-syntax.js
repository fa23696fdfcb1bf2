/*---
title: the engine's own syntax does not parse
source: E26
expect: {fault: syntax, file: program, line: 7}
---*/
() => %DebugPrint(1)
