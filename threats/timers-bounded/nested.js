/*---
title: timers that set two timers each
source: M31
limits: {timers: 50, wallMs: 1000}
expect: {any: [{value: RangeError}, {fault: deadline_exceeded}, {fault: thrown, name: RangeError}]}
usage: {pendingTimers: {min: 1, max: 50}}
within: 2s
---*/
() => new Promise(done => {
  const fork = () => { try { setTimeout(fork, 1); setTimeout(fork, 1) } catch (e) { done(e.name) } };
  fork();
})
