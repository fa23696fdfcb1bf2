/*---
title: a hundred thousand calls at once
source: M29
tools: [tools.never]
limits: {callsInFlight: 8}
expect: {fault: concurrent_calls_exceeded, limit: 8, actual: 9}
invoked: {tools.never: {max: 8}}
within: 5s
---*/
() => Promise.all(Array.from({ length: 100_000 }, () => tools.never()))
