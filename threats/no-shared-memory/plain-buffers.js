/*---
title: ordinary buffers work
source: own
canary: true
expect: {value: [8, 258, 1, 3.5]}
---*/
() => {
  const buffer = new ArrayBuffer(8);
  new DataView(buffer).setUint16(0, 258);
  return [buffer.byteLength, new DataView(buffer).getUint16(0), new Uint8Array(buffer)[0], new Float32Array([3.5])[0]];
}
