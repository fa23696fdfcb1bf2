/*---
title: a busy program that is asked for its clocks while it runs, and is within them, is let go on
source: own
canary: true
limits: {wallMs: 30000, cpuMs: 3000}
expect: {value: done}
---*/
() => {
  // The host looks at the clock for the first time when all processors together could
  // have used the limit up: on two after about a second and a half.
  const end = Date.now() + 2200;
  let turns = 0;
  while (Date.now() < end) turns++;
  return turns > 0 ? 'done' : 'idle';
}
