/*---
title: a value that is resolved again and again is the first
source: E28 W11
expect: {value: first}
---*/
() => new Promise((resolve, reject) => {
  resolve("first");
  resolve("second");
  reject(new Error("third"));
  setTimeout(() => resolve("fourth"), 0);
})
