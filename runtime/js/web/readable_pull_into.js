// Streams of bytes: pull-into descriptors, and the queue that they are filled from.
// https://streams.spec.whatwg.org/#rbs-controller-abstract-ops
//
// A descriptor: {buffer, bufferByteLength, byteOffset, byteLength, bytesFilled, minimumFill,
// elementSize, constructor, readerType: 'default', 'byob' or 'none'}.

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-clear-pending-pull-intos
function clearPending(controller) {
  invalidateBYOBRequest(controller);
  controller.pending = newList();
}

function shiftPending(controller) {
  const { pending } = controller;
  const rest = newList();
  for (let i = 1; i < pending.length; i++) rest[i - 1] = pending[i];
  controller.pending = rest;
  return pending[0];
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-enqueue-chunk-to-queue
function enqueueBytePart(controller, buffer, byteOffset, byteLength) {
  addToQueue(controller.queue, { __proto__: null, buffer, byteOffset, byteLength });
  controller.queueTotalSize += byteLength;
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamcontrollerenqueueclonedchunktoqueue
function enqueueClonedPart(controller, buffer, byteOffset, byteLength) {
  let copy;
  try {
    copy = copyOfBytes(buffer, byteOffset, byteLength);
  } catch (error) {
    errorByteController(controller, error);
    throw error;
  }
  enqueueBytePart(controller, copy, 0, byteLength);
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamcontrollerenqueuedetachedpullintotoqueue
function enqueueDetachedPullInto(controller, descriptor) {
  if (descriptor.bytesFilled > 0) {
    enqueueClonedPart(controller, descriptor.buffer, descriptor.byteOffset, descriptor.bytesFilled);
  }
  shiftPending(controller);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-convert-pull-into-descriptor
function convertDescriptor(descriptor) {
  const { constructor, byteOffset, bytesFilled, elementSize } = descriptor;
  return new constructor(transferBuffer(descriptor.buffer), byteOffset, bytesFilled / elementSize);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-commit-pull-into-descriptor
function commitDescriptor(stream, descriptor) {
  fulfillRequest(stream, convertDescriptor(descriptor), stream.state === 'closed');
}

function commitAll(stream, descriptors) {
  for (let i = 0; i < descriptors.length; i++) commitDescriptor(stream, descriptors[i]);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-fill-pull-into-descriptor-from-queue
function fillFromQueue(controller, descriptor) {
  const { elementSize } = descriptor;
  const room = descriptor.byteLength - descriptor.bytesFilled;
  let remaining = controller.queueTotalSize < room ? controller.queueTotalSize : room;
  const mostFilled = descriptor.bytesFilled + remaining;
  const mostAligned = mostFilled - (mostFilled % elementSize);
  const isReady = mostAligned >= descriptor.minimumFill;
  if (isReady) remaining = mostAligned - descriptor.bytesFilled;
  while (remaining > 0) {
    const head = firstOfQueue(controller.queue);
    const count = remaining < head.byteLength ? remaining : head.byteLength;
    const at = descriptor.byteOffset + descriptor.bytesFilled;
    TypedArrayPrototypeSet(new Uint8Array(descriptor.buffer, at, count), new Uint8Array(head.buffer, head.byteOffset, count));
    if (head.byteLength === count) {
      takeFromQueue(controller.queue);
    } else {
      head.byteOffset += count;
      head.byteLength -= count;
    }
    controller.queueTotalSize -= count;
    descriptor.bytesFilled += count;
    remaining -= count;
  }
  return isReady;
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamcontrollerfillreadrequestfromqueue
function fillRequestFromQueue(controller, request) {
  const { buffer, byteOffset, byteLength } = takeFromQueue(controller.queue);
  controller.queueTotalSize -= byteLength;
  handleQueueDrain(controller);
  chunkRequest(request, new Uint8Array(buffer, byteOffset, byteLength));
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-handle-queue-drain
function handleQueueDrain(controller) {
  if (controller.queueTotalSize === 0 && controller.closeRequested) {
    clearByteAlgorithms(controller);
    closeReadable(controller.stream);
  } else {
    callBytePullIfNeeded(controller);
  }
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-process-pull-into-descriptors-using-queue
// It returns the descriptors that are filled now, to be committed.
function processPendingUsingQueue(controller) {
  const filled = newList();
  while (controller.pending.length > 0 && controller.queueTotalSize > 0) {
    const descriptor = controller.pending[0];
    if (fillFromQueue(controller, descriptor)) {
      shiftPending(controller);
      filled[filled.length] = descriptor;
    }
  }
  return filled;
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamcontrollerprocessreadrequestsusingqueue
function processRequestsUsingQueue(controller) {
  const { reader } = controller.stream;
  while (queueSize(reader.requests) > 0 && controller.queueTotalSize > 0) {
    fillRequestFromQueue(controller, takeFromQueue(reader.requests));
  }
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-pull-into
function pullInto(controller, view, min, request) {
  const { stream, pending } = controller;
  const { buffer, byteOffset, byteLength, elementSize, constructor } = viewParts(view);
  let moved;
  try {
    moved = transferBuffer(buffer);
  } catch (error) {
    errorRequest(request, error);
    return;
  }
  const descriptor = {
    __proto__: null, buffer: moved, bufferByteLength: ArrayBufferPrototypeGetByteLength(moved), byteOffset, byteLength,
    bytesFilled: 0, minimumFill: min * elementSize, elementSize, constructor, readerType: 'byob',
  };
  if (pending.length > 0) {
    pending[pending.length] = descriptor;
    addToQueue(stream.reader.requests, request);
    return;
  }
  if (stream.state === 'closed') {
    closeRequest(request, new constructor(moved, byteOffset, 0));
    return;
  }
  if (controller.queueTotalSize > 0) {
    if (fillFromQueue(controller, descriptor)) {
      const filled = convertDescriptor(descriptor);
      handleQueueDrain(controller);
      chunkRequest(request, filled);
      return;
    }
    if (controller.closeRequested) {
      const error = new TypeError('the stream ended in the middle of an element');
      errorByteController(controller, error);
      errorRequest(request, error);
      return;
    }
  }
  pending[pending.length] = descriptor;
  addToQueue(stream.reader.requests, request);
  callBytePullIfNeeded(controller);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-respond
function respond(controller, bytesWritten) {
  const first = controller.pending[0];
  if (controller.stream.state === 'closed') {
    if (bytesWritten !== 0) throw new TypeError('the stream is closed, so nothing can have been written');
  } else {
    if (bytesWritten === 0) throw new TypeError('at least one byte must be written');
    if (first.bytesFilled + bytesWritten > first.byteLength) throw new RangeError('more bytes than the view has room for');
  }
  first.buffer = transferBuffer(first.buffer);
  respondInternal(controller, bytesWritten);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-respond-with-new-view
function respondWithNewView(controller, view) {
  const first = controller.pending[0];
  const { buffer, byteOffset, byteLength } = viewParts(view);
  if (controller.stream.state === 'closed') {
    if (byteLength !== 0) throw new TypeError('the stream is closed, so the view must be empty');
  } else if (byteLength === 0) {
    throw new TypeError('the view is empty');
  }
  if (first.byteOffset + first.bytesFilled !== byteOffset) throw new RangeError('the view is not where the request wants it');
  if (first.bufferByteLength !== ArrayBufferPrototypeGetByteLength(buffer)) {
    throw new RangeError('the ArrayBuffer of the view is not as long as that of the request');
  }
  if (first.bytesFilled + byteLength > first.byteLength) throw new RangeError('the view is longer than the request wants it');
  first.buffer = transferBuffer(buffer);
  respondInternal(controller, byteLength);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-respond-internal
function respondInternal(controller, bytesWritten) {
  const first = controller.pending[0];
  invalidateBYOBRequest(controller);
  if (controller.stream.state === 'closed') respondInClosedState(controller, first);
  else respondInReadableState(controller, bytesWritten, first);
  callBytePullIfNeeded(controller);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-respond-in-closed-state
function respondInClosedState(controller, first) {
  if (first.readerType === 'none') shiftPending(controller);
  const { stream } = controller;
  const filled = newList();
  while (filled.length < byobRequests(stream)) filled[filled.length] = shiftPending(controller);
  commitAll(stream, filled);
}

// https://streams.spec.whatwg.org/#readable-byte-stream-controller-respond-in-readable-state
function respondInReadableState(controller, bytesWritten, descriptor) {
  const { stream } = controller;
  descriptor.bytesFilled += bytesWritten;
  if (descriptor.readerType === 'none') {
    enqueueDetachedPullInto(controller, descriptor);
    commitAll(stream, processPendingUsingQueue(controller));
    return;
  }
  if (descriptor.bytesFilled < descriptor.minimumFill) return;
  shiftPending(controller);
  const rest = descriptor.bytesFilled % descriptor.elementSize;
  if (rest > 0) {
    enqueueClonedPart(controller, descriptor.buffer, descriptor.byteOffset + descriptor.bytesFilled - rest, rest);
  }
  descriptor.bytesFilled -= rest;
  const filled = processPendingUsingQueue(controller);
  commitDescriptor(stream, descriptor);
  commitAll(stream, filled);
}
