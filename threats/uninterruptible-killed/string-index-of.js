/*---
title: indexOf with a text and a pattern that almost match everywhere
source: T26
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => {
  const text = "a".repeat(2 ** 23), pattern = "a".repeat(2 ** 14) + "b";
  for (;;) text.indexOf(pattern);
}
