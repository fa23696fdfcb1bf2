/*---
title: promise jobs that queue themselves for ever, which V8 reports as success
source: T04
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall}
within: 750ms
---*/
() => new Promise(() => {
  const again = () => Promise.resolve().then(again);
  again();
})
