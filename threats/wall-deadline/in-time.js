/*---
title: a program that is busy, waits, and ends in time is left alone
source: own
canary: true
limits: {wallMs: 5000}
expect: {value: {busy: true, waited: true}}
within: 4s
---*/
async () => {
  const start = Date.now();
  while (Date.now() - start < 100) {}
  const busy = Date.now() - start >= 100;
  await new Promise(done => setTimeout(done, 100));
  return { busy, waited: Date.now() - start >= 199 };
}
