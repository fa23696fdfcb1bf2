/*---
title: a module whose default export is a value, found without saying its form
source: own
canary: true
expect: {value: {answer: 42}}
---*/
export default { answer: await Promise.resolve(42) };
