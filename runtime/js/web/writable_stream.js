// WritableStream. https://streams.spec.whatwg.org/#ws
//
// A stream: {object, backpressure, closeRequest, controller, inFlightWrite, inFlightClose, pendingAbort:
// {deferred, reason, wasErroring}, state: 'writable', 'erroring', 'errored' or 'closed', storedError, writer,
// writeRequests}. Requests are deferreds.

const { add: addWritableSlots, has: isWritableStream, of: writableSlots } = newSlots('WritableStream');

function initializeWritableStream(object) {
  const stream = {
    __proto__: null, object, backpressure: false, closeRequest: undefined, controller: undefined, inFlightWrite: undefined,
    inFlightClose: undefined, pendingAbort: undefined, state: 'writable', storedError: undefined, writer: undefined,
    writeRequests: newQueue(),
  };
  addWritableSlots(object, stream);
  return stream;
}

// https://streams.spec.whatwg.org/#create-writable-stream
function createWritableStream(start, write, close, abort, highWaterMark = 1, size = () => 1) {
  const stream = initializeWritableStream({ __proto__: WritableStream.prototype });
  setUpWritableController(stream, newWritableController(), start, write, close, abort, highWaterMark, size);
  return stream;
}

const isWritableLocked = (stream) => stream.writer !== undefined;

// https://streams.spec.whatwg.org/#writable-stream-abort
function abortWritable(stream, reason) {
  if (stream.state === 'closed' || stream.state === 'errored') return promiseResolvedWith(undefined);
  part('events').signalAbort(stream.controller.signal, reason);
  // The listeners of the signal may have changed the state.
  const { state } = stream;
  if (state === 'closed' || state === 'errored') return promiseResolvedWith(undefined);
  if (stream.pendingAbort !== undefined) return stream.pendingAbort.deferred.promise;
  const wasErroring = state === 'erroring';
  const deferred = newDeferred();
  stream.pendingAbort = { __proto__: null, deferred, reason: wasErroring ? undefined : reason, wasErroring };
  if (!wasErroring) startErroring(stream, reason);
  return deferred.promise;
}

// https://streams.spec.whatwg.org/#writable-stream-close
function closeWritable(stream) {
  const { state } = stream;
  if (state === 'closed' || state === 'errored') {
    return promiseRejectedWith(new TypeError(`the stream is ${state}, so it cannot be closed`));
  }
  const deferred = newDeferred();
  stream.closeRequest = deferred;
  const { writer } = stream;
  if (writer !== undefined && stream.backpressure && state === 'writable') resolveDeferred(writer.ready, undefined);
  closeWritableController(stream.controller);
  return deferred.promise;
}

// https://streams.spec.whatwg.org/#writable-stream-close-queued-or-in-flight
function isClosing(stream) {
  return stream.closeRequest !== undefined || stream.inFlightClose !== undefined;
}

// https://streams.spec.whatwg.org/#writable-stream-deal-with-rejection
function dealWithRejection(stream, error) {
  if (stream.state === 'writable') startErroring(stream, error);
  else finishErroring(stream);
}

// https://streams.spec.whatwg.org/#writable-stream-start-erroring
function startErroring(stream, reason) {
  const { controller, writer } = stream;
  stream.state = 'erroring';
  stream.storedError = reason;
  if (writer !== undefined) ensureRejected(writer, 'ready', reason);
  if (stream.inFlightWrite === undefined && stream.inFlightClose === undefined && controller.started) finishErroring(stream);
}

// https://streams.spec.whatwg.org/#writable-stream-finish-erroring
function finishErroring(stream) {
  stream.state = 'errored';
  resetQueue(stream.controller);
  const { storedError, writeRequests, pendingAbort } = stream;
  stream.writeRequests = newQueue();
  while (queueSize(writeRequests) > 0) rejectDeferred(takeFromQueue(writeRequests), storedError);
  if (pendingAbort === undefined) {
    rejectCloseAndClosed(stream);
    return;
  }
  stream.pendingAbort = undefined;
  const { deferred, reason, wasErroring } = pendingAbort;
  if (wasErroring) {
    rejectDeferred(deferred, storedError);
    rejectCloseAndClosed(stream);
    return;
  }
  react(abortWritableController(stream.controller, reason), () => {
    resolveDeferred(deferred, undefined);
    rejectCloseAndClosed(stream);
  }, (error) => {
    rejectDeferred(deferred, error);
    rejectCloseAndClosed(stream);
  });
}

// https://streams.spec.whatwg.org/#writable-stream-reject-close-and-closed-promise-if-needed
function rejectCloseAndClosed(stream) {
  const { closeRequest, storedError, writer } = stream;
  if (closeRequest !== undefined) {
    rejectDeferred(closeRequest, storedError);
    stream.closeRequest = undefined;
  }
  if (writer !== undefined) {
    rejectDeferred(writer.closed, storedError);
    markHandled(writer.closed.promise);
  }
}

// https://streams.spec.whatwg.org/#writable-stream-finish-in-flight-close
function finishInFlightClose(stream) {
  resolveDeferred(stream.inFlightClose, undefined);
  stream.inFlightClose = undefined;
  if (stream.state === 'erroring') {
    // The error was too late to do anything, so it is dropped.
    stream.storedError = undefined;
    if (stream.pendingAbort !== undefined) {
      resolveDeferred(stream.pendingAbort.deferred, undefined);
      stream.pendingAbort = undefined;
    }
  }
  stream.state = 'closed';
  if (stream.writer !== undefined) resolveDeferred(stream.writer.closed, undefined);
}

// https://streams.spec.whatwg.org/#writable-stream-finish-in-flight-close-with-error
function failInFlightClose(stream, error) {
  rejectDeferred(stream.inFlightClose, error);
  stream.inFlightClose = undefined;
  if (stream.pendingAbort !== undefined) {
    rejectDeferred(stream.pendingAbort.deferred, error);
    stream.pendingAbort = undefined;
  }
  dealWithRejection(stream, error);
}

// https://streams.spec.whatwg.org/#writable-stream-finish-in-flight-write, and -with-error
function finishInFlightWrite(stream) {
  resolveDeferred(stream.inFlightWrite, undefined);
  stream.inFlightWrite = undefined;
}

function failInFlightWrite(stream, error) {
  rejectDeferred(stream.inFlightWrite, error);
  stream.inFlightWrite = undefined;
  dealWithRejection(stream, error);
}

// https://streams.spec.whatwg.org/#writable-stream-update-backpressure
function updateBackpressure(stream, backpressure) {
  const { writer } = stream;
  if (writer !== undefined && backpressure !== stream.backpressure) {
    if (backpressure) writer.ready = newDeferred();
    else resolveDeferred(writer.ready, undefined);
  }
  stream.backpressure = backpressure;
}

// toUnderlyingSink reads the dictionary UnderlyingSink.
function toUnderlyingSink(sink) {
  const dictionary = { __proto__: null, abort: undefined, close: undefined, start: undefined, write: undefined };
  if (sink === undefined) return dictionary;
  const what = 'WritableStream: the sink';
  dictionary.abort = toCallback(sink, 'abort', what);
  dictionary.close = toCallback(sink, 'close', what);
  dictionary.start = toCallback(sink, 'start', what);
  const { type } = sink;
  dictionary.write = toCallback(sink, 'write', what);
  if (type !== undefined) throw new RangeError(`${what} has a type, which is reserved`);
  return dictionary;
}

class WritableStream {
  constructor(underlyingSink = undefined, strategy = undefined) {
    const sink = toObjectArgument(underlyingSink, 'WritableStream: the sink');
    const given = toQueuingStrategy(strategy, 'WritableStream');
    const dictionary = toUnderlyingSink(sink);
    const stream = initializeWritableStream(this);
    const size = extractSizeAlgorithm(given);
    setUpWritableControllerFromSink(stream, sink, dictionary, extractHighWaterMark(given, 1), size);
  }

  get locked() {
    return isWritableLocked(writableSlots(this, 'WritableStream.locked'));
  }

  abort(reason = undefined) {
    return attempt(() => {
      const stream = writableSlots(this, 'WritableStream.abort');
      if (isWritableLocked(stream)) throw new TypeError('WritableStream.abort: the stream is locked to a writer');
      return abortWritable(stream, reason);
    });
  }

  close() {
    return attempt(() => {
      const stream = writableSlots(this, 'WritableStream.close');
      if (isWritableLocked(stream)) throw new TypeError('WritableStream.close: the stream is locked to a writer');
      if (isClosing(stream)) throw new TypeError('WritableStream.close: the stream is being closed already');
      return closeWritable(stream);
    });
  }

  getWriter() {
    return acquireWriter(writableSlots(this, 'WritableStream.getWriter')).object;
  }
}

defineInterface(WritableStream, 'WritableStream');
definePlatformKind(WritableStream, 'WritableStream', {
  __proto__: null, has: isWritableStream,
  describe: (value) => {
    const stream = writableSlots(value);
    return [{ 0: 'locked', 1: isWritableLocked(stream) }, { 0: 'state', 1: stream.state }];
  },
});

exports.WritableStream = WritableStream;
