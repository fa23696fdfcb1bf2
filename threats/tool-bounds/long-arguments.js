/*---
title: arguments of 10 MB under a bound of 64 KiB
source: M29
tools: [tools.echo]
limits: {argument: 65536}
expect: {fault: arguments_too_large, limit: 65536, actual: {min: 65537}, of: {contains: tools.echo}, delivered: {absent: true}}
invoked: {tools.echo: 0}
within: 5s
---*/
() => tools.echo("x".repeat(10_000_000))
