/*---
title: buffers made in every way, where another execution left a secret
source: L08
expect: {value: 0}
---*/
() => {
  let dirty = 0;
  const check = bytes => { for (const byte of bytes) if (byte !== 0) dirty++ };
  for (let i = 0; i < 200; i++) {
    check(new Uint8Array(new ArrayBuffer(4096)));
    check(new Uint8Array(new Float64Array(512).buffer));
    check(new Uint8Array(4096).slice(0, 4000));
    check(new Uint8Array(new ArrayBuffer(4096).slice(10)));
    check(Uint8Array.from(new Array(100).fill(0)));
    check(new Uint8Array(new BigInt64Array(64).subarray(1).buffer));
  }
  return dirty;
}
