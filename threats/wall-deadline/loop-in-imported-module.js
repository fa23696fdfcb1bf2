/*---
title: a virtual module whose body never ends
source: T01
form: module
modules:
  slow: "export const x = 1; for (;;) {}"
limits: {wallMs: 300}
expect: {fault: deadline_exceeded, kind: wall, how: interrupted}
within: 750ms
---*/
import { x } from "slow";
export default x;
