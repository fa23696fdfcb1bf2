/*---
title: an argument that cannot leave, uncaught, is the same fault
source: M26
tools: [tools.echo]
expect: {fault: unserializable, path: {contains: "[0].x"}, where: arguments of tools.echo, delivered: {absent: true}}
invoked: {tools.echo: 0}
---*/
() => tools.echo({ x: () => {} })
