/*---
title: a flood of timers
source: M31
limits: {timers: 100, wallMs: 10000}
expect: {value: {set: 100, error: RangeError, fired: 99}}
within: 5s
---*/
async () => {
  const ids = [];
  let fired = 0, error = "none";
  try { for (;;) ids.push(setTimeout(() => fired++, 10)) } catch (e) { error = e.name }
  // One that is cleared makes room for another; those that were set fire.
  clearTimeout(ids[0]);
  await new Promise(done => setTimeout(done, 100));
  return { set: ids.length, error, fired };
}
