// WritableStreamDefaultController. https://streams.spec.whatwg.org/#ws-default-controller-class
//
// A controller: {object, stream, signal, queue, queueTotalSize, started, highWaterMark, size, write, close, abort}.

const { add: addWritableControllerSlots, of: writableControllerSlots } = newSlots('WritableStreamDefaultController');

// CLOSE is in the queue for the end of the stream.
const CLOSE = ObjectFreeze({ __proto__: null });

function newWritableController() {
  const object = { __proto__: WritableStreamDefaultController.prototype };
  const controller = {
    __proto__: null, object, stream: undefined, signal: part('events').newAbortSignal(), queue: newQueue(), queueTotalSize: 0,
    started: false, highWaterMark: 0, size: undefined, write: undefined, close: undefined, abort: undefined,
  };
  addWritableControllerSlots(object, controller);
  return controller;
}

// start returns the promise that is waited for, or undefined.
// https://streams.spec.whatwg.org/#set-up-writable-stream-default-controller
function setUpWritableController(stream, controller, start, write, close, abort, highWaterMark, size) {
  controller.stream = stream;
  controller.highWaterMark = highWaterMark;
  controller.size = size;
  controller.write = write;
  controller.close = close;
  controller.abort = abort;
  stream.controller = controller;
  updateBackpressure(stream, hasWritableBackpressure(controller));
  react(start() ?? promiseResolvedWith(undefined), () => {
    controller.started = true;
    advanceQueue(controller);
  }, (error) => {
    controller.started = true;
    dealWithRejection(stream, error);
  });
}

// https://streams.spec.whatwg.org/#set-up-writable-stream-default-controller-from-underlying-sink
function setUpWritableControllerFromSink(stream, sink, { start, write, close, abort }, highWaterMark, size) {
  const controller = newWritableController();
  const resolved = () => promiseResolvedWith(undefined);
  setUpWritableController(
    stream, controller,
    start === undefined ? nothing : () => promiseResolvedWith(ReflectApply(start, sink, [controller.object])),
    write === undefined ? resolved : (chunk) => promiseCall(write, sink, [chunk, controller.object]),
    close === undefined ? resolved : () => promiseCall(close, sink, []),
    abort === undefined ? resolved : (reason) => promiseCall(abort, sink, [reason]),
    highWaterMark, size);
}

// [[AbortSteps]], https://streams.spec.whatwg.org/#ws-default-controller-private-abort
function abortWritableController(controller, reason) {
  const { abort } = controller;
  const result = abort(reason);
  clearWritableAlgorithms(controller);
  return result;
}

function clearWritableAlgorithms(controller) {
  controller.write = controller.close = controller.abort = controller.size = undefined;
}

function writableDesiredSize(controller) {
  return controller.highWaterMark - controller.queueTotalSize;
}

function hasWritableBackpressure(controller) {
  return writableDesiredSize(controller) <= 0;
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-advance-queue-if-needed
function advanceQueue(controller) {
  const { stream } = controller;
  if (!controller.started || stream.inFlightWrite !== undefined) return;
  if (stream.state === 'erroring') {
    finishErroring(stream);
    return;
  }
  if (queueSize(controller.queue) === 0) return;
  const { value } = firstOfQueue(controller.queue);
  if (value === CLOSE) processClose(controller);
  else processWrite(controller, value);
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-close
function closeWritableController(controller) {
  enqueueValueWithSize(controller, CLOSE, 0);
  advanceQueue(controller);
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-error
function errorWritableController(controller, error) {
  clearWritableAlgorithms(controller);
  startErroring(controller.stream, error);
}

function errorWritableIfNeeded(controller, error) {
  if (controller.stream.state === 'writable') errorWritableController(controller, error);
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-get-chunk-size
function chunkSizeOf(controller, chunk) {
  const { size } = controller;
  if (size === undefined) return 1;
  try {
    return size(chunk);
  } catch (error) {
    errorWritableIfNeeded(controller, error);
    return 1;
  }
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-process-close
function processClose(controller) {
  const { stream, close } = controller;
  stream.inFlightClose = stream.closeRequest;
  stream.closeRequest = undefined;
  dequeueValue(controller);
  const done = close();
  clearWritableAlgorithms(controller);
  react(done, () => finishInFlightClose(stream), (error) => failInFlightClose(stream, error));
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-process-write
function processWrite(controller, chunk) {
  const { stream, write } = controller;
  stream.inFlightWrite = takeFromQueue(stream.writeRequests);
  react(write(chunk), () => {
    finishInFlightWrite(stream);
    const { state } = stream;
    dequeueValue(controller);
    if (!isClosing(stream) && state === 'writable') updateBackpressure(stream, hasWritableBackpressure(controller));
    advanceQueue(controller);
  }, (error) => {
    if (stream.state === 'writable') clearWritableAlgorithms(controller);
    failInFlightWrite(stream, error);
  });
}

// https://streams.spec.whatwg.org/#writable-stream-default-controller-write
function writeToController(controller, chunk, size) {
  try {
    enqueueValueWithSize(controller, chunk, size);
  } catch (error) {
    errorWritableIfNeeded(controller, error);
    return;
  }
  const { stream } = controller;
  if (!isClosing(stream) && stream.state === 'writable') updateBackpressure(stream, hasWritableBackpressure(controller));
  advanceQueue(controller);
}

class WritableStreamDefaultController {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  get signal() {
    return writableControllerSlots(this, 'WritableStreamDefaultController.signal').signal;
  }

  error(e = undefined) {
    errorWritableIfNeeded(writableControllerSlots(this, 'WritableStreamDefaultController.error'), e);
  }
}

exports.WritableStreamDefaultController = defineInterface(WritableStreamDefaultController, 'WritableStreamDefaultController');
