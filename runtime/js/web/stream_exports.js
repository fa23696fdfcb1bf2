// Streams for other parts of the runtime. https://streams.spec.whatwg.org/#other-specs

// newReadableByteStream makes a stream of bytes. pull(stream) is called when bytes are wanted, and calls
// enqueueBytes or closeStream. https://streams.spec.whatwg.org/#readablestream-set-up-with-byte-reading-support
function newReadableByteStream(pull) {
  const stream = createReadableByteStream(nothing, () => attempt(() => {
    pull(stream.object);
    return promiseResolvedWith(undefined);
  }), () => promiseResolvedWith(undefined));
  return stream.object;
}

// enqueueBytes gives a stream of the runtime's a Uint8Array, which the stream then has for itself.
// A request of a reader that brings its own buffer gets the bytes in that.
// https://streams.spec.whatwg.org/#readablestream-enqueue
function enqueueBytes(object, bytes) {
  enqueueByteChunk(readableSlots(object).controller, bytes);
}

// closeStream ends a stream of bytes of the runtime's.
// https://streams.spec.whatwg.org/#readablestream-close
function closeStream(object) {
  const { controller } = readableSlots(object);
  closeByteController(controller);
  if (controller.pending.length > 0) respond(controller, 0);
}

exports.newReadableByteStream = newReadableByteStream;
exports.enqueueBytes = enqueueBytes;
exports.closeStream = closeStream;
exports.newTransformStream = newTransformStream;
exports.isReadableStream = isReadableStream;
