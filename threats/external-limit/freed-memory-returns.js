/*---
title: buffers that are dropped make room for others
source: own
canary: true
limits: {external: 16777216, wallMs: 20000}
expect: {value: 400}
---*/
() => { let n = 0; for (let i = 0; i < 400; i++) n += new Uint8Array(1 << 20).fill(1)[i]; return n }
