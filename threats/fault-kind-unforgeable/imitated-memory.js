/*---
title: errors that read like those of the engine
source: P11 mini_racer-178
expect: {fault: thrown, class: program, name: RangeError, text: Array buffer allocation failed}
---*/
() => { throw new RangeError("Array buffer allocation failed") }
