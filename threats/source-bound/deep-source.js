/*---
title: source so deeply nested that a recursive parser runs out of stack
source: M17 M19
form: function
grants: [eval]
expect: {value: [RangeError, alive]}
within: 10s
---*/
() => {
  let name = "none";
  try { (0, eval)("(".repeat(200_000) + "1" + ")".repeat(200_000)) } catch (e) { name = e.name }
  return [name, "alive"];
}
