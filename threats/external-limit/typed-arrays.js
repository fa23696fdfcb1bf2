/*---
title: every way to make a buffer is counted
source: M09
limits: {external: 1048576}
expect: {value: {made: [], caught: [Uint8Array, Float64Array, BigInt64Array, slice, from, of-buffer, concat]}}
usage: {peakExternal: {max: 1048576}}
---*/
() => {
  const big = 2 ** 21, made = [], caught = [], small = new Uint8Array(2 ** 19);
  const attempts = {
    "Uint8Array": () => new Uint8Array(big),
    "Float64Array": () => new Float64Array(big),
    "BigInt64Array": () => new BigInt64Array(big),
    "slice": () => { const kept = []; for (let i = 0; i < 10; i++) kept.push(small.slice()); return kept },
    "from": () => Uint8Array.from({ length: big }),
    "of-buffer": () => new Uint8Array(new ArrayBuffer(big)),
    "concat": () => new Float64Array(new Uint8Array(2 ** 19)),
  };
  for (const name in attempts) {
    try { attempts[name](); made.push(name) } catch (e) { if (e instanceof RangeError) caught.push(name); else throw e }
  }
  return { made, caught };
}
