/*---
title: a value nested deeper than the codec allows is refused where it passes the bound
source: own
expect: {fault: unserializable, what: {contains: deeper}}
---*/
() => {
  let value = 1;
  for (let i = 0; i < 1200; i++) value = { next: [value] };
  return value;
}
