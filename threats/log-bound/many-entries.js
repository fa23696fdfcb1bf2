/*---
title: a flood of entries
source: M27
limits: {logEntries: 100}
expect: {value: done}
logs: {count: 100, dropped: {min: 19900, max: 19900}, contains: ["entry 99"]}
within: 10s
---*/
() => { for (let i = 0; i < 20_000; i++) console.log("entry " + i); return "done" }
