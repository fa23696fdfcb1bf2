/*---
title: the engine's own syntax does not parse
source: E26
expect: {fault: syntax, file: program, line: 6}
---*/
() => %DebugPrint(1)
