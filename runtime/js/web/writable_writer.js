// WritableStreamDefaultWriter. https://streams.spec.whatwg.org/#default-writer-class
//
// A writer: {object, stream, closed, ready: deferreds}.

const { add: addWriterSlots, of: writerSlots } = newSlots('WritableStreamDefaultWriter');

function acquireWriter(stream) {
  return setUpWriter({ __proto__: WritableStreamDefaultWriter.prototype }, stream);
}

// https://streams.spec.whatwg.org/#set-up-writable-stream-default-writer
function setUpWriter(object, stream) {
  if (isWritableLocked(stream)) throw new TypeError('the stream is locked to a writer already');
  const writer = { __proto__: null, object, stream, closed: undefined, ready: undefined };
  addWriterSlots(object, writer);
  stream.writer = writer;
  const { state, storedError } = stream;
  if (state === 'writable') {
    writer.ready = !isClosing(stream) && stream.backpressure ? newDeferred() : newResolved();
    writer.closed = newDeferred();
  } else if (state === 'erroring') {
    writer.ready = newRejected(storedError);
    writer.closed = newDeferred();
  } else if (state === 'closed') {
    writer.ready = newResolved();
    writer.closed = newResolved();
  } else {
    writer.ready = newRejected(storedError);
    writer.closed = newRejected(storedError);
  }
  return writer;
}

// ensureRejected rejects the promise closed or ready, by another one when it was settled.
// https://streams.spec.whatwg.org/#writable-stream-default-writer-ensure-closed-promise-rejected
function ensureRejected(writer, name, error) {
  if (writer[name].settled) {
    writer[name] = newRejected(error);
  } else {
    rejectDeferred(writer[name], error);
    markHandled(writer[name].promise);
  }
}

// https://streams.spec.whatwg.org/#writable-stream-default-writer-close-with-error-propagation
function closeWithErrorPropagation({ stream }) {
  if (isClosing(stream) || stream.state === 'closed') return promiseResolvedWith(undefined);
  return stream.state === 'errored' ? promiseRejectedWith(stream.storedError) : closeWritable(stream);
}

// https://streams.spec.whatwg.org/#writable-stream-default-writer-get-desired-size
function writerDesiredSize({ state, controller }) {
  if (state === 'errored' || state === 'erroring') return null;
  return state === 'closed' ? 0 : writableDesiredSize(controller);
}

// https://streams.spec.whatwg.org/#writable-stream-default-writer-release
function releaseWriter(writer) {
  const error = new TypeError('the writer was released');
  ensureRejected(writer, 'ready', error);
  ensureRejected(writer, 'closed', error);
  writer.stream.writer = undefined;
  writer.stream = undefined;
}

// https://streams.spec.whatwg.org/#writable-stream-default-writer-write
function writeChunk(writer, chunk) {
  const { stream } = writer;
  const { controller } = stream;
  const size = chunkSizeOf(controller, chunk);
  if (stream !== writer.stream) return promiseRejectedWith(new TypeError('the writer was released'));
  const { state } = stream;
  if (state === 'errored') return promiseRejectedWith(stream.storedError);
  if (isClosing(stream) || state === 'closed') {
    return promiseRejectedWith(new TypeError('the stream is closed, or is being closed'));
  }
  if (state === 'erroring') return promiseRejectedWith(stream.storedError);
  const deferred = newDeferred();
  addToQueue(stream.writeRequests, deferred);
  writeToController(controller, chunk, size);
  return deferred.promise;
}

// streamOf returns the stream of a writer that was not released.
function streamOf(writer, what) {
  if (writer.stream === undefined) throw new TypeError(`${what}: the writer was released`);
  return writer.stream;
}

class WritableStreamDefaultWriter {
  constructor(stream) {
    requireArguments(arguments.length, 1, 'WritableStreamDefaultWriter');
    setUpWriter(this, writableSlots(stream, 'WritableStreamDefaultWriter: the argument is not a WritableStream'));
  }

  get closed() {
    return attempt(() => writerSlots(this, 'WritableStreamDefaultWriter.closed').closed.promise);
  }

  get desiredSize() {
    const what = 'WritableStreamDefaultWriter.desiredSize';
    return writerDesiredSize(streamOf(writerSlots(this, what), what));
  }

  get ready() {
    return attempt(() => writerSlots(this, 'WritableStreamDefaultWriter.ready').ready.promise);
  }

  abort(reason = undefined) {
    return attempt(() => {
      const what = 'WritableStreamDefaultWriter.abort';
      return abortWritable(streamOf(writerSlots(this, what), what), reason);
    });
  }

  close() {
    return attempt(() => {
      const what = 'WritableStreamDefaultWriter.close';
      const stream = streamOf(writerSlots(this, what), what);
      if (isClosing(stream)) throw new TypeError(`${what}: the stream is being closed already`);
      return closeWritable(stream);
    });
  }

  releaseLock() {
    const writer = writerSlots(this, 'WritableStreamDefaultWriter.releaseLock');
    if (writer.stream !== undefined) releaseWriter(writer);
  }

  write(chunk = undefined) {
    return attempt(() => {
      const what = 'WritableStreamDefaultWriter.write';
      const writer = writerSlots(this, what);
      streamOf(writer, what);
      return writeChunk(writer, chunk);
    });
  }
}

exports.WritableStreamDefaultWriter = defineInterface(WritableStreamDefaultWriter, 'WritableStreamDefaultWriter');
