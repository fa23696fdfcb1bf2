// ReadableByteStreamController and ReadableStreamBYOBRequest.
// https://streams.spec.whatwg.org/#rbs-controller-class, https://streams.spec.whatwg.org/#rs-byob-request-class
//
// A controller: {object, isByte: true, stream, queue: of {buffer, byteOffset, byteLength}, queueTotalSize,
// started, pulling, pullAgain, closeRequested, highWaterMark, pull, cancel, autoAllocateChunkSize,
// byobRequest, pending: a list of pull-into descriptors}. Those are in readable_pull_into.js.

const { add: addByteControllerSlots, of: byteControllerSlots } = newSlots('ReadableByteStreamController');
const { add: addBYOBRequestSlots, of: byobRequestSlots } = newSlots('ReadableStreamBYOBRequest');

function newByteController() {
  const object = { __proto__: ReadableByteStreamController.prototype };
  const controller = {
    __proto__: null, object, isByte: true, stream: undefined, queue: newQueue(), queueTotalSize: 0, started: false,
    pulling: false, pullAgain: false, closeRequested: false, highWaterMark: 0, pull: undefined, cancel: undefined,
    autoAllocateChunkSize: undefined, byobRequest: null, pending: newList(),
  };
  addByteControllerSlots(object, controller);
  return controller;
}

// start returns the promise that is waited for, or undefined.
// https://streams.spec.whatwg.org/#set-up-readable-byte-stream-controller
function setUpByteController(stream, controller, start, pull, cancel, highWaterMark, autoAllocateChunkSize) {
  controller.stream = stream;
  controller.highWaterMark = highWaterMark;
  controller.pull = pull;
  controller.cancel = cancel;
  controller.autoAllocateChunkSize = autoAllocateChunkSize;
  stream.controller = controller;
  react(start() ?? promiseResolvedWith(undefined), () => {
    controller.started = true;
    callBytePullIfNeeded(controller);
  }, (error) => errorByteController(controller, error));
}

function setUpByteControllerFromSource(stream, source, dictionary, highWaterMark) {
  const controller = newByteController();
  const { start, pull, cancel } = sourceAlgorithms(source, dictionary, controller);
  const { autoAllocateChunkSize } = dictionary;
  if (autoAllocateChunkSize === 0) throw new TypeError('ReadableStream: autoAllocateChunkSize must be greater than 0');
  setUpByteController(stream, controller, start, pull, cancel, highWaterMark, autoAllocateChunkSize);
}

// [[CancelSteps]], https://streams.spec.whatwg.org/#rbs-controller-private-cancel
function cancelByteController(controller, reason) {
  clearPending(controller);
  resetQueue(controller);
  const { cancel } = controller;
  const result = cancel(reason);
  clearByteAlgorithms(controller);
  return result;
}

// [[PullSteps]], https://streams.spec.whatwg.org/#rbs-controller-private-pull
function pullByteController(controller, request) {
  const { stream, autoAllocateChunkSize } = controller;
  if (controller.queueTotalSize > 0) {
    fillRequestFromQueue(controller, request);
    return;
  }
  if (autoAllocateChunkSize !== undefined) {
    let buffer;
    try {
      buffer = new ArrayBuffer(autoAllocateChunkSize);
    } catch (error) {
      errorRequest(request, error);
      return;
    }
    controller.pending[controller.pending.length] = {
      __proto__: null, buffer, bufferByteLength: autoAllocateChunkSize, byteOffset: 0, byteLength: autoAllocateChunkSize,
      bytesFilled: 0, minimumFill: 1, elementSize: 1, constructor: Uint8Array, readerType: 'default',
    };
  }
  addToQueue(stream.reader.requests, request);
  callBytePullIfNeeded(controller);
}

// [[ReleaseSteps]], https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamcontroller-releasesteps
function releaseByteController(controller) {
  const { pending } = controller;
  if (pending.length === 0) return;
  pending[0].readerType = 'none';
  pending.length = 1;
}

function clearByteAlgorithms(controller) {
  controller.pull = controller.cancel = undefined;
}

function callBytePullIfNeeded(controller) {
  callPullIfNeeded(controller, shouldBytePull, errorByteController);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-should-call-pull
function shouldBytePull(controller) {
  const { stream } = controller;
  if (stream.state !== 'readable' || controller.closeRequested || !controller.started) return false;
  return defaultRequests(stream) > 0 || byobRequests(stream) > 0 || readableDesiredSize(controller) > 0;
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-close
function closeByteController(controller) {
  const { stream, pending } = controller;
  if (controller.closeRequested || stream.state !== 'readable') return;
  if (controller.queueTotalSize > 0) {
    controller.closeRequested = true;
    return;
  }
  if (pending.length > 0 && pending[0].bytesFilled % pending[0].elementSize !== 0) {
    const error = new TypeError('the stream was closed while a part of an element had been read');
    errorByteController(controller, error);
    throw error;
  }
  clearByteAlgorithms(controller);
  closeReadable(stream);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-error
function errorByteController(controller, error) {
  const { stream } = controller;
  if (stream.state !== 'readable') return;
  clearPending(controller);
  resetQueue(controller);
  clearByteAlgorithms(controller);
  errorReadable(stream, error);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-enqueue
function enqueueByteChunk(controller, chunk) {
  const { stream } = controller;
  if (controller.closeRequested || stream.state !== 'readable') return;
  const { buffer, byteOffset, byteLength } = viewParts(chunk);
  const moved = transferBuffer(buffer);
  if (controller.pending.length > 0) {
    const first = controller.pending[0];
    if (isDetachedBuffer(first.buffer)) throw new TypeError('the ArrayBuffer of the request to read is detached');
    invalidateBYOBRequest(controller);
    first.buffer = transferBuffer(first.buffer);
    if (first.readerType === 'none') enqueueDetachedPullInto(controller, first);
  }
  if (stream.reader !== undefined && !stream.reader.isBYOB) {
    processRequestsUsingQueue(controller);
    if (defaultRequests(stream) === 0) {
      enqueueBytePart(controller, moved, byteOffset, byteLength);
    } else {
      if (controller.pending.length > 0) shiftPending(controller);
      fulfillRequest(stream, new Uint8Array(moved, byteOffset, byteLength), false);
    }
  } else {
    enqueueBytePart(controller, moved, byteOffset, byteLength);
    if (stream.reader !== undefined) commitAll(stream, processPendingUsingQueue(controller));
  }
  callBytePullIfNeeded(controller);
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamcontrollergetbyobrequest
function byobRequestOf(controller) {
  if (controller.byobRequest === null && controller.pending.length > 0) {
    const first = controller.pending[0];
    const object = { __proto__: ReadableStreamBYOBRequest.prototype };
    controller.byobRequest = {
      __proto__: null, object, controller,
      view: new Uint8Array(first.buffer, first.byteOffset + first.bytesFilled, first.byteLength - first.bytesFilled),
    };
    addBYOBRequestSlots(object, controller.byobRequest);
  }
  return controller.byobRequest;
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-invalidate-byob-request
function invalidateBYOBRequest(controller) {
  if (controller.byobRequest === null) return;
  controller.byobRequest.controller = undefined;
  controller.byobRequest.view = null;
  controller.byobRequest = null;
}

class ReadableStreamBYOBRequest {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  get view() {
    return byobRequestSlots(this, 'ReadableStreamBYOBRequest.view').view;
  }

  respond(bytesWritten) {
    const request = byobRequestSlots(this, 'ReadableStreamBYOBRequest.respond');
    requireArguments(arguments.length, 1, 'ReadableStreamBYOBRequest.respond');
    const count = toUnsignedLongLong(bytesWritten, 'ReadableStreamBYOBRequest.respond: the argument', ENFORCE_RANGE);
    if (request.controller === undefined) throw new TypeError('ReadableStreamBYOBRequest.respond: the request was answered already');
    if (isDetachedBuffer(TypedArrayPrototypeGetBuffer(request.view))) {
      throw new TypeError('ReadableStreamBYOBRequest.respond: the ArrayBuffer of the view is detached');
    }
    respond(request.controller, count);
  }

  respondWithNewView(view) {
    const request = byobRequestSlots(this, 'ReadableStreamBYOBRequest.respondWithNewView');
    requireArguments(arguments.length, 1, 'ReadableStreamBYOBRequest.respondWithNewView');
    toView(view, 'ReadableStreamBYOBRequest.respondWithNewView: the argument');
    if (request.controller === undefined) {
      throw new TypeError('ReadableStreamBYOBRequest.respondWithNewView: the request was answered already');
    }
    if (isDetachedBuffer(viewParts(view).buffer)) {
      throw new TypeError('ReadableStreamBYOBRequest.respondWithNewView: the ArrayBuffer of the view is detached');
    }
    respondWithNewView(request.controller, view);
  }
}

class ReadableByteStreamController {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  get byobRequest() {
    const request = byobRequestOf(byteControllerSlots(this, 'ReadableByteStreamController.byobRequest'));
    return request === null ? null : request.object;
  }

  get desiredSize() {
    return readableDesiredSize(byteControllerSlots(this, 'ReadableByteStreamController.desiredSize'));
  }

  close() {
    const controller = byteControllerSlots(this, 'ReadableByteStreamController.close');
    requireOpen(controller, 'ReadableByteStreamController.close');
    closeByteController(controller);
  }

  enqueue(chunk) {
    const controller = byteControllerSlots(this, 'ReadableByteStreamController.enqueue');
    requireArguments(arguments.length, 1, 'ReadableByteStreamController.enqueue');
    toView(chunk, 'ReadableByteStreamController.enqueue: the argument');
    const { buffer, byteLength } = viewParts(chunk);
    if (byteLength === 0 || ArrayBufferPrototypeGetByteLength(buffer) === 0) {
      throw new TypeError('ReadableByteStreamController.enqueue: the chunk is empty');
    }
    requireOpen(controller, 'ReadableByteStreamController.enqueue');
    enqueueByteChunk(controller, chunk);
  }

  error(e = undefined) {
    errorByteController(byteControllerSlots(this, 'ReadableByteStreamController.error'), e);
  }
}

function requireOpen(controller, what) {
  if (controller.closeRequested) throw new TypeError(`${what}: the stream is being closed already`);
  if (controller.stream.state !== 'readable') throw new TypeError(`${what}: the stream is ${controller.stream.state}`);
}

exports.ReadableStreamBYOBRequest = defineInterface(ReadableStreamBYOBRequest, 'ReadableStreamBYOBRequest');
exports.ReadableByteStreamController = defineInterface(ReadableByteStreamController, 'ReadableByteStreamController');
