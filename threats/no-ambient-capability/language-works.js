/*---
title: the language's own library works
source: own
canary: true
expect:
  value: ["2024-01-02T03:04:05.000Z", "1,234.5", [1, 2, 3], 6, "b", true, "%C3%A9", 3, "{\"a\":[1]}", "ab"]
---*/
() => [
  new Date(Date.UTC(2024, 0, 2, 3, 4, 5)).toISOString(), new Intl.NumberFormat("en").format(1234.5), [3, 1, 2].sort(), Math.max(...new Set([6, 1])),
  /(?<x>b)/.exec("abc").groups.x, new WeakMap().set(Object, 1).has(Object), encodeURIComponent("\u00e9"), [..."\u{1F600}ab"].length,
  JSON.stringify({ a: [1] }), String.raw`a${"b"}`,
]
