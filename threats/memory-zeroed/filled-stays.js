/*---
title: what a program writes it reads back
source: own
canary: true
expect: {value: [170, 170, 0, 255]}
---*/
() => { const bytes = new Uint8Array(1 << 16).fill(0xaa); bytes[1 << 15] = 0; bytes[9] = 511; return [bytes[0], bytes[65_535], bytes[1 << 15], bytes[9]] }
