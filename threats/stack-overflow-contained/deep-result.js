/*---
title: a value nested deeper than the codec's bound
source: M17
expect: {fault: unserializable, what: {contains: nested}}
within: 10s
---*/
() => { let deep = []; for (let i = 0; i < 100_000; i++) deep = [deep]; return deep }
