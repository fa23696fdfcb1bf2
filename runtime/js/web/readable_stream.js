// ReadableStream. https://streams.spec.whatwg.org/#rs
//
// A stream: {object, controller, disturbed, reader, state, storedError}.

const { add: addReadableSlots, has: isReadableStream, of: readableSlots } = newSlots('ReadableStream');

function initializeReadableStream(object) {
  const stream = {
    __proto__: null, object, controller: undefined, disturbed: false, reader: undefined, state: 'readable',
    storedError: undefined,
  };
  addReadableSlots(object, stream);
  return stream;
}

function newReadableStream() {
  return initializeReadableStream({ __proto__: ReadableStream.prototype });
}

// https://streams.spec.whatwg.org/#create-readable-stream
function createReadableStream(start, pull, cancel, highWaterMark = 1, size = () => 1) {
  const stream = newReadableStream();
  setUpReadableController(stream, newReadableController(), start, pull, cancel, highWaterMark, size);
  return stream;
}

// https://streams.spec.whatwg.org/#abstract-opdef-createreadablebytestream
function createReadableByteStream(start, pull, cancel) {
  const stream = newReadableStream();
  setUpByteController(stream, newByteController(), start, pull, cancel, 0, undefined);
  return stream;
}

const isLocked = (stream) => stream.reader !== undefined;

// https://streams.spec.whatwg.org/#readable-stream-cancel
function cancelReadable(stream, reason) {
  stream.disturbed = true;
  if (stream.state === 'closed') return promiseResolvedWith(undefined);
  if (stream.state === 'errored') return promiseRejectedWith(stream.storedError);
  closeReadable(stream);
  const { reader } = stream;
  if (reader !== undefined && reader.isBYOB) {
    const requests = takeRequests(reader);
    while (queueSize(requests) > 0) closeRequest(takeFromQueue(requests), undefined);
  }
  const { controller } = stream;
  const result = controller.isByte ? cancelByteController(controller, reason) : cancelReadableController(controller, reason);
  return reacting(result, nothing);
}

// https://streams.spec.whatwg.org/#readable-stream-close
function closeReadable(stream) {
  stream.state = 'closed';
  const { reader } = stream;
  if (reader === undefined) return;
  resolveDeferred(reader.closed, undefined);
  if (reader.isBYOB) return;
  const requests = takeRequests(reader);
  while (queueSize(requests) > 0) closeRequest(takeFromQueue(requests), undefined);
}

// https://streams.spec.whatwg.org/#readable-stream-error
function errorReadable(stream, error) {
  stream.state = 'errored';
  stream.storedError = error;
  const { reader } = stream;
  if (reader === undefined) return;
  rejectDeferred(reader.closed, error);
  markHandled(reader.closed.promise);
  errorRequests(reader, error);
}

// takeRequests empties the list of pending requests of a reader and returns what was in it.
function takeRequests(reader) {
  const { requests } = reader;
  reader.requests = newQueue();
  return requests;
}

function errorRequests(reader, error) {
  const requests = takeRequests(reader);
  while (queueSize(requests) > 0) errorRequest(takeFromQueue(requests), error);
}

// The steps of a request to read: {chunkSteps, closeSteps, errorSteps}.
function chunkRequest({ chunkSteps }, chunk) {
  chunkSteps(chunk);
}

function closeRequest({ closeSteps }, chunk) {
  closeSteps(chunk);
}

function errorRequest({ errorSteps }, error) {
  errorSteps(error);
}

// https://streams.spec.whatwg.org/#readable-stream-fulfill-read-request, and -read-into-request
function fulfillRequest(stream, chunk, done) {
  const request = takeFromQueue(stream.reader.requests);
  if (done) closeRequest(request, chunk);
  else chunkRequest(request, chunk);
}

// The numbers of pending requests, 0 when the reader is of the other kind.
function defaultRequests(stream) {
  return stream.reader !== undefined && !stream.reader.isBYOB ? queueSize(stream.reader.requests) : 0;
}

function byobRequests(stream) {
  return stream.reader !== undefined && stream.reader.isBYOB ? queueSize(stream.reader.requests) : 0;
}

// toPipeOptions reads the dictionary StreamPipeOptions.
function toPipeOptions(value, what) {
  const given = toDictionaryObject(value, `${what}: the options`);
  const options = { __proto__: null, preventAbort: false, preventCancel: false, preventClose: false, signal: undefined };
  if (given === undefined) return options;
  options.preventAbort = !!given.preventAbort;
  options.preventCancel = !!given.preventCancel;
  options.preventClose = !!given.preventClose;
  const { signal } = given;
  if (signal !== undefined && !part('events').isAbortSignal(signal)) throw new TypeError(`${what}: the signal is not an AbortSignal`);
  options.signal = signal;
  return options;
}

class ReadableStream {
  constructor(underlyingSource = undefined, strategy = undefined) {
    const source = toObjectArgument(underlyingSource, 'ReadableStream: the source');
    const given = toQueuingStrategy(strategy, 'ReadableStream');
    const dictionary = toUnderlyingSource(source);
    const stream = initializeReadableStream(this);
    if (dictionary.type === 'bytes') {
      if (given.size !== undefined) throw new RangeError('ReadableStream: a stream of bytes cannot have a strategy with size');
      setUpByteControllerFromSource(stream, source, dictionary, extractHighWaterMark(given, 0));
    } else {
      const size = extractSizeAlgorithm(given);
      setUpReadableControllerFromSource(stream, source, dictionary, extractHighWaterMark(given, 1), size);
    }
  }

  static from(asyncIterable) {
    requireArguments(arguments.length, 1, 'ReadableStream.from');
    return readableStreamFrom(asyncIterable).object;
  }

  get locked() {
    return isLocked(readableSlots(this, 'ReadableStream.locked'));
  }

  cancel(reason = undefined) {
    return attempt(() => {
      const stream = readableSlots(this, 'ReadableStream.cancel');
      if (isLocked(stream)) throw new TypeError('ReadableStream.cancel: the stream is locked to a reader');
      return cancelReadable(stream, reason);
    });
  }

  getReader(options = undefined) {
    const stream = readableSlots(this, 'ReadableStream.getReader');
    const given = toDictionaryObject(options, 'ReadableStream.getReader: the options');
    const mode = given === undefined ? undefined : given.mode;
    if (mode === undefined) return acquireDefaultReader(stream).object;
    toEnumeration(mode, ['byob'], 'ReadableStream.getReader: the mode');
    return acquireBYOBReader(stream).object;
  }

  pipeThrough(transform, options = undefined) {
    const stream = readableSlots(this, 'ReadableStream.pipeThrough');
    requireArguments(arguments.length, 1, 'ReadableStream.pipeThrough');
    const pair = toDictionaryObject(transform, 'ReadableStream.pipeThrough: the argument') ?? { __proto__: null };
    const { readable } = pair;
    if (!isReadableStream(readable)) throw new TypeError('ReadableStream.pipeThrough: readable is not a ReadableStream');
    const { writable } = pair;
    if (!isWritableStream(writable)) throw new TypeError('ReadableStream.pipeThrough: writable is not a WritableStream');
    const given = toPipeOptions(options, 'ReadableStream.pipeThrough');
    if (isLocked(stream)) throw new TypeError('ReadableStream.pipeThrough: the stream is locked to a reader');
    const destination = writableSlots(writable);
    if (isWritableLocked(destination)) throw new TypeError('ReadableStream.pipeThrough: writable is locked to a writer');
    markHandled(pipeReadableTo(stream, destination, given));
    return readable;
  }

  pipeTo(destination, options = undefined) {
    const count = arguments.length;
    return attempt(() => {
      const stream = readableSlots(this, 'ReadableStream.pipeTo');
      requireArguments(count, 1, 'ReadableStream.pipeTo');
      const target = writableSlots(destination, 'ReadableStream.pipeTo: the argument is not a WritableStream');
      const given = toPipeOptions(options, 'ReadableStream.pipeTo');
      if (isLocked(stream)) throw new TypeError('ReadableStream.pipeTo: the stream is locked to a reader');
      if (isWritableLocked(target)) throw new TypeError('ReadableStream.pipeTo: the destination is locked to a writer');
      return pipeReadableTo(stream, target, given);
    });
  }

  tee() {
    const stream = readableSlots(this, 'ReadableStream.tee');
    return stream.controller.isByte ? teeByteStream(stream) : teeDefaultStream(stream);
  }

  values(options = undefined) {
    const stream = readableSlots(this, 'ReadableStream.values');
    const given = toDictionaryObject(options, 'ReadableStream.values: the options');
    return newStreamIterator(stream, given !== undefined && !!given.preventCancel);
  }
}

const SOURCE_TYPES = ['bytes'];

// toUnderlyingSource reads the dictionary UnderlyingSource.
function toUnderlyingSource(source) {
  const dictionary = {
    __proto__: null, autoAllocateChunkSize: undefined, cancel: undefined, pull: undefined, start: undefined, type: undefined,
  };
  if (source === undefined) return dictionary;
  const what = 'ReadableStream: the source';
  const { autoAllocateChunkSize } = source;
  if (autoAllocateChunkSize !== undefined) {
    dictionary.autoAllocateChunkSize = toUnsignedLongLong(autoAllocateChunkSize, `${what}: autoAllocateChunkSize`, ENFORCE_RANGE);
  }
  dictionary.cancel = toCallback(source, 'cancel', what);
  dictionary.pull = toCallback(source, 'pull', what);
  dictionary.start = toCallback(source, 'start', what);
  const { type } = source;
  if (type !== undefined) dictionary.type = toEnumeration(type, SOURCE_TYPES, `${what}: the type`);
  return dictionary;
}

// sourceAlgorithms makes the algorithms of a controller from the functions of a source.
function sourceAlgorithms(source, { start, pull, cancel }, controller) {
  return {
    __proto__: null,
    start: start === undefined ? nothing : () => promiseResolvedWith(ReflectApply(start, source, [controller.object])),
    pull: pull === undefined ? () => promiseResolvedWith(undefined) : () => promiseCall(pull, source, [controller.object]),
    cancel: cancel === undefined ? () => promiseResolvedWith(undefined) : (reason) => promiseCall(cancel, source, [reason]),
  };
}

defineInterface(ReadableStream, 'ReadableStream');
hidden(ReadableStream.prototype, SymbolAsyncIterator, ReadableStream.prototype.values);
definePlatformKind(ReadableStream, 'ReadableStream', {
  __proto__: null, has: isReadableStream,
  describe: (value) => {
    const stream = readableSlots(value);
    return [
      { 0: 'locked', 1: isLocked(stream) }, { 0: 'state', 1: stream.state },
      { 0: 'supportsBYOB', 1: stream.controller !== undefined && stream.controller.isByte },
    ];
  },
});

exports.ReadableStream = ReadableStream;
