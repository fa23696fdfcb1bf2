// ReadableStreamDefaultController. https://streams.spec.whatwg.org/#rs-default-controller-class
//
// A controller: {object, isByte: false, stream, queue, queueTotalSize, started, pulling, pullAgain,
// closeRequested, highWaterMark, size, pull, cancel}.

const { add: addReadableControllerSlots, of: readableControllerSlots } = newSlots('ReadableStreamDefaultController');

function newReadableController() {
  const object = { __proto__: ReadableStreamDefaultController.prototype };
  const controller = {
    __proto__: null, object, isByte: false, stream: undefined, queue: newQueue(), queueTotalSize: 0, started: false,
    pulling: false, pullAgain: false, closeRequested: false, highWaterMark: 0, size: undefined, pull: undefined, cancel: undefined,
  };
  addReadableControllerSlots(object, controller);
  return controller;
}

// start returns the promise that is waited for, or undefined.
// https://streams.spec.whatwg.org/#set-up-readable-stream-default-controller
function setUpReadableController(stream, controller, start, pull, cancel, highWaterMark, size) {
  controller.stream = stream;
  controller.highWaterMark = highWaterMark;
  controller.size = size;
  controller.pull = pull;
  controller.cancel = cancel;
  stream.controller = controller;
  react(start() ?? promiseResolvedWith(undefined), () => {
    controller.started = true;
    callReadablePullIfNeeded(controller);
  }, (error) => errorReadableController(controller, error));
}

function setUpReadableControllerFromSource(stream, source, dictionary, highWaterMark, size) {
  const controller = newReadableController();
  const { start, pull, cancel } = sourceAlgorithms(source, dictionary, controller);
  setUpReadableController(stream, controller, start, pull, cancel, highWaterMark, size);
}

// [[CancelSteps]], https://streams.spec.whatwg.org/#rs-default-controller-private-cancel
function cancelReadableController(controller, reason) {
  resetQueue(controller);
  const { cancel } = controller;
  const result = cancel(reason);
  clearReadableAlgorithms(controller);
  return result;
}

// [[PullSteps]], https://streams.spec.whatwg.org/#rs-default-controller-private-pull
function pullReadableController(controller, request) {
  const { stream } = controller;
  if (queueSize(controller.queue) === 0) {
    addToQueue(stream.reader.requests, request);
    callReadablePullIfNeeded(controller);
    return;
  }
  const chunk = dequeueValue(controller);
  if (controller.closeRequested && queueSize(controller.queue) === 0) {
    clearReadableAlgorithms(controller);
    closeReadable(stream);
  } else {
    callReadablePullIfNeeded(controller);
  }
  chunkRequest(request, chunk);
}

function clearReadableAlgorithms(controller) {
  controller.pull = controller.cancel = controller.size = undefined;
}

// callPullIfNeeded is what both kinds of controller do when they are told to pull.
// https://streams.spec.whatwg.org/#readable-stream-default-controller-call-pull-if-needed
function callPullIfNeeded(controller, shouldPull, fail) {
  if (!shouldPull(controller)) return;
  if (controller.pulling) {
    controller.pullAgain = true;
    return;
  }
  controller.pulling = true;
  const { pull } = controller;
  react(pull(), () => {
    controller.pulling = false;
    if (!controller.pullAgain) return;
    controller.pullAgain = false;
    callPullIfNeeded(controller, shouldPull, fail);
  }, (error) => fail(controller, error));
}

function callReadablePullIfNeeded(controller) {
  callPullIfNeeded(controller, shouldReadablePull, errorReadableController);
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-should-call-pull
function shouldReadablePull(controller) {
  if (!canCloseOrEnqueue(controller) || !controller.started) return false;
  return defaultRequests(controller.stream) > 0 || readableDesiredSize(controller) > 0;
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-can-close-or-enqueue
function canCloseOrEnqueue(controller) {
  return !controller.closeRequested && controller.stream.state === 'readable';
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-close
function closeReadableController(controller) {
  if (!canCloseOrEnqueue(controller)) return;
  controller.closeRequested = true;
  if (queueSize(controller.queue) > 0) return;
  clearReadableAlgorithms(controller);
  closeReadable(controller.stream);
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-enqueue
function enqueueReadable(controller, chunk) {
  if (!canCloseOrEnqueue(controller)) return;
  const { stream } = controller;
  if (defaultRequests(stream) > 0) {
    fulfillRequest(stream, chunk, false);
  } else {
    try {
      const { size } = controller;
      enqueueValueWithSize(controller, chunk, size(chunk));
    } catch (error) {
      errorReadableController(controller, error);
      throw error;
    }
  }
  callReadablePullIfNeeded(controller);
}

// https://streams.spec.whatwg.org/#readable-stream-default-controller-error
function errorReadableController(controller, error) {
  if (controller.stream.state !== 'readable') return;
  resetQueue(controller);
  clearReadableAlgorithms(controller);
  errorReadable(controller.stream, error);
}

// The desired size of either kind of controller.
// https://streams.spec.whatwg.org/#readable-stream-default-controller-get-desired-size
function readableDesiredSize(controller) {
  const { state } = controller.stream;
  if (state === 'errored') return null;
  return state === 'closed' ? 0 : controller.highWaterMark - controller.queueTotalSize;
}

class ReadableStreamDefaultController {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  get desiredSize() {
    return readableDesiredSize(readableControllerSlots(this, 'ReadableStreamDefaultController.desiredSize'));
  }

  close() {
    const controller = readableControllerSlots(this, 'ReadableStreamDefaultController.close');
    if (!canCloseOrEnqueue(controller)) {
      throw new TypeError('ReadableStreamDefaultController.close: the stream is closed, or has an error, already');
    }
    closeReadableController(controller);
  }

  enqueue(chunk = undefined) {
    const controller = readableControllerSlots(this, 'ReadableStreamDefaultController.enqueue');
    if (!canCloseOrEnqueue(controller)) {
      throw new TypeError('ReadableStreamDefaultController.enqueue: the stream is closed, or has an error, already');
    }
    enqueueReadable(controller, chunk);
  }

  error(e = undefined) {
    errorReadableController(readableControllerSlots(this, 'ReadableStreamDefaultController.error'), e);
  }
}

exports.ReadableStreamDefaultController = defineInterface(ReadableStreamDefaultController, 'ReadableStreamDefaultController');
