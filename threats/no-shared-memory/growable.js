/*---
title: buffers can be neither shared, grown nor transferred away
source: M12 E25
expect: {value: {resizable: 8, resize: undefined, grow: undefined, transfer: undefined, structured: undefined}}
---*/
() => ({
  resizable: new ArrayBuffer(8, { maxByteLength: 1 << 30 }).byteLength, resize: typeof ArrayBuffer.prototype.resize, grow: typeof ArrayBuffer.prototype.grow,
  transfer: typeof ArrayBuffer.prototype.transfer, structured: typeof structuredClone === "function" ? "undefined" : typeof structuredClone,
})
