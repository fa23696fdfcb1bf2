/*---
title: a flood of timers
source: M31
limits: {timers: 100, wallMs: 10000}
expect: {value: {set: 100, error: RangeError, fired: 100}}
within: 5s
---*/
async () => {
  let set = 0, fired = 0, error = "none";
  try { for (;;) { setTimeout(() => fired++, 10); set++ } } catch (e) { error = e.name }
  // The timers that were set fire, and make room again.
  const end = Date.now() + 3000;
  while (fired < set && Date.now() < end) await new Promise(done => { try { setTimeout(done, 5) } catch { queueMicrotask(done) } });
  return { set, error, fired };
}
