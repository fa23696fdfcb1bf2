/*---
title: many formatters of dates
source: T33
limits: {wallMs: 300}
expect: {any: [{fault: deadline_exceeded}, {fault: memory_exceeded}]}
within: 1500ms
---*/
() => { for (let i = 0; ; i++) new Intl.DateTimeFormat("en", { timeZone: i % 2 ? "UTC" : "Europe/Berlin", weekday: "long" }) }
