/*---
title: delays that are no numbers, and ids that are none
source: M31 own
expect: {value: [fired, fired, fired, fired, fired]}
within: 5s
---*/
async () => {
  for (const id of [NaN, -1, 1e20, "x", {}, null, undefined, { valueOf() { throw 1 } }]) { try { clearTimeout(id) } catch (e) { if (e !== 1) throw e } }
  return Promise.all([-5, NaN, "1", undefined, { valueOf: () => 1 }].map(delay => new Promise(done => setTimeout(done, delay, "fired"))));
}
