/*---
title: short bursts of work between waits, each far below the bound
source: own
limits: {wallMs: 8000, cpuMs: 250}
expect: {fault: deadline_exceeded, kind: cpu}
within: 4s
---*/
async () => {
  for (;;) {
    for (const end = Date.now() + 20; Date.now() < end;) {}
    await new Promise(done => setTimeout(done, 5));
  }
}
