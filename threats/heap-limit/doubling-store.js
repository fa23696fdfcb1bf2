/*---
title: an array of doubles whose store doubles as it grows
source: M04
limits: {heap: 33554432, wallMs: 10000}
expect: {fault: memory_exceeded}
within: 8s
---*/
() => { const numbers = []; for (;;) numbers.push(1.5) }
