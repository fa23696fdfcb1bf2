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

// Pieces in which a stream gives out bytes that exist already.
const STREAM_CHUNK = 65536;

// newStreamOfBytes makes a stream that gives out copies of bytes, which never change.
function newStreamOfBytes(bytes) {
  const size = TypedArrayPrototypeGetLength(bytes);
  let at = 0;
  return newReadableByteStream((stream) => {
    if (at === size) {
      closeStream(stream);
      return;
    }
    const length = size - at < STREAM_CHUNK ? size - at : STREAM_CHUNK;
    const from = TypedArrayPrototypeGetByteOffset(bytes) + at;
    at += length;
    enqueueBytes(stream, new Uint8Array(copyOfBytes(TypedArrayPrototypeGetBuffer(bytes), from, length)));
  });
}

// newReadStream makes a stream as it is when a reader has read it to its end.
function newReadStream() {
  const object = newReadableByteStream(nothing);
  const stream = readableSlots(object);
  acquireDefaultReader(stream);
  stream.disturbed = true;
  closeByteController(stream.controller);
  return object;
}

// readAllBytes reads a stream, which must not be locked, to its end, and calls succeed with its bytes in memory of
// their own, or fail with a reason. https://streams.spec.whatwg.org/#readablestreamdefaultreader-read-all-bytes
function readAllBytes(object, succeed, fail) {
  const reader = acquireDefaultReader(readableSlots(object));
  let bytes = new Uint8Array(0);
  let size = 0;
  // Chunks that are there come within the call that asks for them, so asking is a loop.
  let asking = false;
  let again = false;
  const ask = () => {
    again = true;
    if (asking) return;
    asking = true;
    while (again) {
      again = false;
      readFromDefaultReader(reader, request);
    }
    asking = false;
  };
  const request = {
    __proto__: null,
    chunkSteps: (chunk) => {
      try {
        if (TypedArrayPrototypeGetToStringTag(chunk) !== 'Uint8Array') throw new TypeError('a chunk of the body is not a Uint8Array');
        const length = TypedArrayPrototypeGetLength(chunk);
        if (size + length > TypedArrayPrototypeGetLength(bytes)) bytes = grown(bytes, size, size + length);
        if (length > 0) TypedArrayPrototypeSet(bytes, chunk, size);
        size += length;
      } catch (error) {
        fail(error);
        return;
      }
      ask();
    },
    closeSteps: () => {
      const isExact = TypedArrayPrototypeGetLength(bytes) === size;
      succeed(isExact ? bytes : new Uint8Array(copyOfBytes(TypedArrayPrototypeGetBuffer(bytes), 0, size)));
    },
    errorSteps: fail,
  };
  ask();
}

// grown returns memory for at least needed bytes, twice what there was, with the first size of what there was.
function grown(bytes, size, needed) {
  const twice = size * 2;
  const larger = new Uint8Array(needed > twice ? needed : twice);
  TypedArrayPrototypeSet(larger, new Uint8Array(TypedArrayPrototypeGetBuffer(bytes), 0, size));
  return larger;
}

// teeStream returns two streams with what a stream gives; what the second gives is cloned.
// https://streams.spec.whatwg.org/#readablestream-tee
function teeStream(object) {
  const stream = readableSlots(object);
  return stream.controller.isByte ? teeByteStream(stream) : teeDefaultStream(stream, true);
}

// proxyStream returns a stream that a stream is piped to.
// https://streams.spec.whatwg.org/#readablestream-create-a-proxy
function proxyStream(object) {
  const { readable, writable } = newTransformStream((chunk, enqueue) => enqueue(chunk), nothing);
  const options = { __proto__: null, preventAbort: false, preventCancel: false, preventClose: false, signal: undefined };
  markHandled(pipeReadableTo(readableSlots(object), writableSlots(writable), options));
  return readable;
}

exports.newStreamOfBytes = newStreamOfBytes;
exports.newReadStream = newReadStream;
exports.readAllBytes = readAllBytes;
exports.teeStream = teeStream;
exports.proxyStream = proxyStream;
exports.isDisturbedStream = (object) => readableSlots(object).disturbed;
exports.isLockedStream = (object) => isLocked(readableSlots(object));
exports.newTransformStream = newTransformStream;
exports.isReadableStream = isReadableStream;
