/*---
title: promises that nobody settles
source: M03
limits: {heap: 33554432, wallMs: 20000}
expect: {fault: memory_exceeded, kind: heap}
resident: 300 MiB
within: 10s
---*/
async () => { const kept = []; for (let i = 0; ; i++) { kept.push(new Promise(() => {}).then(() => i)); if (i % 1000 === 0) await null } }
