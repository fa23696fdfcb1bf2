/*---
title: a program above the bound
source: M19
limits: {source: 300}
tools: [tools.echo]
expect: {fault: source_too_large, limit: 300, actual: {min: 301}, file: program, started: false}
invoked: {tools.echo: 0}
within: 2s
---*/
() => { tools.echo("ran"); console.log("ran"); /* and some padding: the quick brown fox jumps over the lazy dog */ }
