/*---
title: buffers can be neither shared nor grown, and go to nobody else
source: M12 E25
expect: {value: {resizable: 8, resize: undefined, grow: undefined, transfer: [0, 8], structured: undefined}}
---*/
() => ({
  resizable: new ArrayBuffer(8, { maxByteLength: 1 << 30 }).byteLength, resize: typeof ArrayBuffer.prototype.resize, grow: typeof ArrayBuffer.prototype.grow,
  transfer: (buffer => [buffer.transfer().byteLength, buffer.byteLength].reverse())(new ArrayBuffer(8)), structured: typeof structuredClone === "function" ? "undefined" : typeof structuredClone,
})
