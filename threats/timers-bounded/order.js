/*---
title: timers fire in the order of their time, with their arguments, and can be cleared
source: own
canary: true
expect: {value: [a, b, c, 3]}
---*/
async () => {
  const out = [];
  setTimeout(x => out.push(x), 20, "b");
  setTimeout(x => out.push(x), 5, "a");
  const cleared = setTimeout(() => out.push("cleared"), 10);
  clearTimeout(cleared);
  let ticks = 0;
  const interval = setInterval(() => { if (++ticks === 3) clearInterval(interval) }, 1);
  await new Promise(done => setTimeout(done, 60));
  return [...out, "c", ticks];
}
