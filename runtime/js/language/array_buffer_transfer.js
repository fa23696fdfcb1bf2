// ArrayBuffer.prototype.transfer, transferToFixedLength, and what detached (accessors.js) asks.
// ECMA-262, section 25.1.6, https://tc39.es/ecma262/#sec-arraybuffer.prototype.transfer
//
// This engine has no resizable buffers, so that both methods are the same.

function isDetached(buffer) {
  if (ArrayBufferPrototypeGetByteLength(buffer) > 0) return false;
  try {
    return new Uint8Array(buffer) === undefined;
  } catch {
    return true;
  }
}

{
  // copyAndDetach is ArrayBufferCopyAndDetach. A buffer that keeps its length keeps its
  // memory.
  const copyAndDetach = (buffer, newLength) => {
    let length = ArrayBufferPrototypeGetByteLength(buffer);
    const newByteLength = newLength === undefined ? length : toIndex(newLength, 'array buffer length');
    // The conversion may have detached the buffer.
    if (isDetached(buffer)) throw new TypeError('The array buffer is detached');
    length = ArrayBufferPrototypeGetByteLength(buffer);
    let copy;
    if (newByteLength !== length) {
      copy = new ArrayBuffer(newByteLength);
      TypedArrayPrototypeSet(new Uint8Array(copy), new Uint8Array(buffer, 0, length < newByteLength ? length : newByteLength));
    }
    const moved = native(TRANSFER, buffer);
    if (moved === undefined) throw new TypeError('The array buffer cannot be detached');
    return copy === undefined ? moved : copy;
  };

  exports.bufferMethods = {
    transfer(newLength = undefined) {
      return copyAndDetach(this, newLength);
    },

    transferToFixedLength(newLength = undefined) {
      return copyAndDetach(this, newLength);
    },
  };
}
