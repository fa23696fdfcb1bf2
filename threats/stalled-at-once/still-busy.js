/*---
title: a program that waits for a timer, a tool and a job is not stalled
source: own
canary: true
tools: [tools.slow]
expect: {value: [timer, done, job]}
---*/
() => Promise.all([
  new Promise(done => setTimeout(done, 60, "timer")), tools.slow({ ms: 60 }), new Promise(done => queueMicrotask(() => done("job"))),
])
