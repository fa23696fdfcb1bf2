/*---
title: an object that never ends to be logged
source: M27
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
() => {
  console.log("%s", { toString() { for (;;) {} } });
  console.log({ get field() { for (;;) {} } });
  // A console that calls neither is as safe; the program must end all the same.
  for (;;) {}
}
