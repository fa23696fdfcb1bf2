/*---
title: logs within the bounds are kept as written
source: own
canary: true
expect: {value: done}
logs:
  exact: ["log: a 1 true", "info: b", "warn: c", "error: d", "debug: e"]
  dropped: 0
---*/
() => { console.log("a", 1, true); console.info("b"); console.warn("c"); console.error("d"); console.debug("e"); return "done" }
