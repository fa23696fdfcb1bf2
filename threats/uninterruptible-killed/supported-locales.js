/*---
title: a list of locales with 2**53-1 absent elements
source: T22 own
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => Intl.Collator.supportedLocalesOf({ length: 2 ** 53 - 1 })
