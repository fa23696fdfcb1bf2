// ReadableStreamDefaultReader and ReadableStreamBYOBReader.
// https://streams.spec.whatwg.org/#default-reader-class, https://streams.spec.whatwg.org/#byob-reader-class
//
// A reader: {object, isBYOB, stream, closed: a deferred, requests: a queue}.

const { add: addDefaultReaderSlots, of: defaultReaderSlots } = newSlots('ReadableStreamDefaultReader');
const { add: addBYOBReaderSlots, of: byobReaderSlots } = newSlots('ReadableStreamBYOBReader');

function newReader(object, isBYOB) {
  return { __proto__: null, object, isBYOB, stream: undefined, closed: undefined, requests: newQueue() };
}

// https://streams.spec.whatwg.org/#set-up-readable-stream-default-reader
function setUpDefaultReader(object, stream) {
  if (isLocked(stream)) throw new TypeError('the stream is locked to a reader already');
  const reader = newReader(object, false);
  addDefaultReaderSlots(object, reader);
  initializeReader(reader, stream);
  return reader;
}

// https://streams.spec.whatwg.org/#set-up-readable-stream-byob-reader
function setUpBYOBReader(object, stream) {
  if (isLocked(stream)) throw new TypeError('the stream is locked to a reader already');
  if (!stream.controller.isByte) throw new TypeError('the stream is not one of bytes, so it has no reader of the mode byob');
  const reader = newReader(object, true);
  addBYOBReaderSlots(object, reader);
  initializeReader(reader, stream);
  return reader;
}

function acquireDefaultReader(stream) {
  return setUpDefaultReader({ __proto__: ReadableStreamDefaultReader.prototype }, stream);
}

function acquireBYOBReader(stream) {
  return setUpBYOBReader({ __proto__: ReadableStreamBYOBReader.prototype }, stream);
}

// https://streams.spec.whatwg.org/#readable-stream-reader-generic-initialize
function initializeReader(reader, stream) {
  reader.stream = stream;
  stream.reader = reader;
  if (stream.state === 'readable') reader.closed = newDeferred();
  else if (stream.state === 'closed') reader.closed = newResolved();
  else reader.closed = newRejected(stream.storedError);
}

// https://streams.spec.whatwg.org/#readable-stream-reader-generic-release
function releaseReaderOnly(reader) {
  const { stream } = reader;
  const error = new TypeError('the reader was released, so it cannot tell whether the stream is closed');
  if (stream.state === 'readable') {
    rejectDeferred(reader.closed, error);
    markHandled(reader.closed.promise);
  } else {
    reader.closed = newRejected(error);
  }
  if (stream.controller.isByte) releaseByteController(stream.controller);
  stream.reader = undefined;
  reader.stream = undefined;
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablestreamdefaultreaderrelease,
// and -readablestreambyobreaderrelease
function releaseReader(reader) {
  releaseReaderOnly(reader);
  errorRequests(reader, new TypeError('the reader was released'));
}

// https://streams.spec.whatwg.org/#readable-stream-default-reader-read
function readFromDefaultReader(reader, request) {
  const { stream } = reader;
  stream.disturbed = true;
  if (stream.state === 'closed') closeRequest(request, undefined);
  else if (stream.state === 'errored') errorRequest(request, stream.storedError);
  else if (stream.controller.isByte) pullByteController(stream.controller, request);
  else pullReadableController(stream.controller, request);
}

// https://streams.spec.whatwg.org/#readable-stream-byob-reader-read
function readIntoView(reader, view, min, request) {
  const { stream } = reader;
  stream.disturbed = true;
  if (stream.state === 'errored') errorRequest(request, stream.storedError);
  else pullInto(stream.controller, view, min, request);
}

// newReadRequest makes the request whose result settles a deferred.
function newReadRequest(deferred) {
  return {
    __proto__: null,
    chunkSteps: (chunk) => resolveDeferred(deferred, { value: chunk, done: false }),
    closeSteps: (chunk) => resolveDeferred(deferred, { value: chunk, done: true }),
    errorSteps: (error) => rejectDeferred(deferred, error),
  };
}

// The members that both kinds of reader have.
function closedOf(receiver, slotsOf, what) {
  return attempt(() => slotsOf(receiver, what).closed.promise);
}

function cancelReader(receiver, reason, slotsOf, what) {
  return attempt(() => {
    const { stream } = slotsOf(receiver, what);
    if (stream === undefined) throw new TypeError(`${what}: the reader was released`);
    return cancelReadable(stream, reason);
  });
}

class ReadableStreamDefaultReader {
  constructor(stream) {
    requireArguments(arguments.length, 1, 'ReadableStreamDefaultReader');
    setUpDefaultReader(this, readableSlots(stream, 'ReadableStreamDefaultReader: the argument is not a ReadableStream'));
  }

  get closed() {
    return closedOf(this, defaultReaderSlots, 'ReadableStreamDefaultReader.closed');
  }

  cancel(reason = undefined) {
    return cancelReader(this, reason, defaultReaderSlots, 'ReadableStreamDefaultReader.cancel');
  }

  read() {
    return attempt(() => {
      const reader = defaultReaderSlots(this, 'ReadableStreamDefaultReader.read');
      if (reader.stream === undefined) throw new TypeError('ReadableStreamDefaultReader.read: the reader was released');
      const deferred = newDeferred();
      readFromDefaultReader(reader, newReadRequest(deferred));
      return deferred.promise;
    });
  }

  releaseLock() {
    const reader = defaultReaderSlots(this, 'ReadableStreamDefaultReader.releaseLock');
    if (reader.stream !== undefined) releaseReader(reader);
  }
}

// toMinimum checks the arguments of read(view, {min}) and returns min.
function toMinimum(view, options) {
  const what = 'ReadableStreamBYOBReader.read';
  toView(view, `${what}: the argument`);
  const given = toDictionaryObject(options, `${what}: the options`);
  const asked = given === undefined ? undefined : given.min;
  const min = asked === undefined ? 1 : toUnsignedLongLong(asked, `${what}: min`, ENFORCE_RANGE);
  const { buffer, byteLength, length } = viewParts(view);
  if (byteLength === 0) throw new TypeError(`${what}: the view is empty`);
  if (isDetachedBuffer(buffer)) throw new TypeError(`${what}: the view is of a detached ArrayBuffer`);
  if (min === 0) throw new TypeError(`${what}: min must be greater than 0`);
  if (min > length) throw new RangeError(`${what}: min is greater than the length of the view`);
  return min;
}

class ReadableStreamBYOBReader {
  constructor(stream) {
    requireArguments(arguments.length, 1, 'ReadableStreamBYOBReader');
    setUpBYOBReader(this, readableSlots(stream, 'ReadableStreamBYOBReader: the argument is not a ReadableStream'));
  }

  get closed() {
    return closedOf(this, byobReaderSlots, 'ReadableStreamBYOBReader.closed');
  }

  cancel(reason = undefined) {
    return cancelReader(this, reason, byobReaderSlots, 'ReadableStreamBYOBReader.cancel');
  }

  read(view, options = undefined) {
    const count = arguments.length;
    return attempt(() => {
      const reader = byobReaderSlots(this, 'ReadableStreamBYOBReader.read');
      requireArguments(count, 1, 'ReadableStreamBYOBReader.read');
      const min = toMinimum(view, options);
      if (reader.stream === undefined) throw new TypeError('ReadableStreamBYOBReader.read: the reader was released');
      const deferred = newDeferred();
      readIntoView(reader, view, min, newReadRequest(deferred));
      return deferred.promise;
    });
  }

  releaseLock() {
    const reader = byobReaderSlots(this, 'ReadableStreamBYOBReader.releaseLock');
    if (reader.stream !== undefined) releaseReader(reader);
  }
}

exports.ReadableStreamDefaultReader = defineInterface(ReadableStreamDefaultReader, 'ReadableStreamDefaultReader');
exports.ReadableStreamBYOBReader = defineInterface(ReadableStreamBYOBReader, 'ReadableStreamBYOBReader');
