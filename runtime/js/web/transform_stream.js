// TransformStream. https://streams.spec.whatwg.org/#ts
//
// A stream: {object, backpressure, backpressureChange: a deferred, controller, readable, writable: records}.
// Its controller: {object, stream, transform, flush, cancel, finish: a deferred}.

const { add: addTransformSlots, has: isTransformStream, of: transformSlots } = newSlots('TransformStream');
const { add: addTransformControllerSlots, of: transformControllerSlots } = newSlots('TransformStreamDefaultController');

// https://streams.spec.whatwg.org/#initialize-transform-stream
function initializeTransformStream(object, startPromise, writableMark, writableSize, readableMark, readableSize) {
  const stream = {
    __proto__: null, object, backpressure: undefined, backpressureChange: undefined, controller: undefined, readable: undefined,
    writable: undefined,
  };
  const start = () => following(startPromise);
  stream.writable = createWritableStream(
    start, (chunk) => sinkWrite(stream, chunk), () => sinkClose(stream), (reason) => sinkAbort(stream, reason),
    writableMark, writableSize);
  stream.readable = createReadableStream(
    start, () => sourcePull(stream), (reason) => sourceCancel(stream, reason), readableMark, readableSize);
  setTransformBackpressure(stream, true);
  addTransformSlots(object, stream);
  return stream;
}

// setUpTransformController gives a stream a controller with algorithms that return promises.
function setUpTransformController(stream, transform, flush, cancel) {
  const object = { __proto__: TransformStreamDefaultController.prototype };
  const controller = { __proto__: null, object, stream, transform, flush, cancel, finish: undefined };
  addTransformControllerSlots(object, controller);
  stream.controller = controller;
  return controller;
}

// newTransformStream makes a stream of the runtime's own. transform(chunk, enqueue) and flush(enqueue)
// are called for the chunks and at the end; what they throw is the error of both sides.
// https://streams.spec.whatwg.org/#transformstream-set-up
function newTransformStream(transform, flush) {
  const stream = initializeTransformStream(
    { __proto__: TransformStream.prototype }, promiseResolvedWith(undefined), 1, () => 1, 0, () => 1);
  const enqueue = (chunk) => enqueueTransformed(stream.controller, chunk);
  const done = (steps) => attempt(() => {
    steps();
    return promiseResolvedWith(undefined);
  });
  setUpTransformController(
    stream, (chunk) => done(() => transform(chunk, enqueue)), () => done(() => flush(enqueue)), () => promiseResolvedWith(undefined));
  return { __proto__: null, readable: stream.readable.object, writable: stream.writable.object };
}

// https://streams.spec.whatwg.org/#transform-stream-error
function errorTransform(stream, error) {
  errorReadableController(stream.readable.controller, error);
  errorWritableAndUnblock(stream, error);
}

// https://streams.spec.whatwg.org/#transform-stream-error-writable-and-unblock-write
function errorWritableAndUnblock(stream, error) {
  clearTransformAlgorithms(stream.controller);
  errorWritableIfNeeded(stream.writable.controller, error);
  unblockWrite(stream);
}

function unblockWrite(stream) {
  if (stream.backpressure) setTransformBackpressure(stream, false);
}

// https://streams.spec.whatwg.org/#transform-stream-set-backpressure
function setTransformBackpressure(stream, backpressure) {
  if (stream.backpressureChange !== undefined) resolveDeferred(stream.backpressureChange, undefined);
  stream.backpressureChange = newDeferred();
  stream.backpressure = backpressure;
}

function clearTransformAlgorithms(controller) {
  controller.transform = controller.flush = controller.cancel = undefined;
}

// https://streams.spec.whatwg.org/#transform-stream-default-controller-enqueue
function enqueueTransformed(controller, chunk) {
  const { stream } = controller;
  const readable = stream.readable.controller;
  if (!canCloseOrEnqueue(readable)) throw new TypeError('the readable side is closed, or has an error, already');
  try {
    enqueueReadable(readable, chunk);
  } catch (error) {
    errorWritableAndUnblock(stream, error);
    throw stream.readable.storedError;
  }
  const backpressure = !shouldReadablePull(readable);
  if (backpressure !== stream.backpressure) setTransformBackpressure(stream, true);
}

// https://streams.spec.whatwg.org/#transform-stream-default-controller-perform-transform
function performTransform(controller, chunk) {
  const { stream, transform } = controller;
  return reacting(transform(chunk), undefined, (error) => {
    errorTransform(stream, error);
    throw error;
  });
}

// https://streams.spec.whatwg.org/#transform-stream-default-controller-terminate
function terminateTransform(controller) {
  const { stream } = controller;
  closeReadableController(stream.readable.controller);
  errorWritableAndUnblock(stream, new TypeError('the transformation was terminated'));
}

// https://streams.spec.whatwg.org/#transform-stream-default-sink-write-algorithm
function sinkWrite(stream, chunk) {
  const { controller } = stream;
  if (!stream.backpressure) return performTransform(controller, chunk);
  return chaining(stream.backpressureChange.promise, () => {
    if (stream.writable.state === 'erroring') throw stream.writable.storedError;
    return performTransform(controller, chunk);
  });
}

// finishTransform runs what ends a stream, once: finish settles when the algorithm has.
// whenDone returns the error that there is by then, in a record, or undefined.
function finishTransform(controller, algorithm, whenDone, whenFailed) {
  if (controller.finish !== undefined) return controller.finish.promise;
  const finish = newDeferred();
  controller.finish = finish;
  const done = algorithm();
  clearTransformAlgorithms(controller);
  react(done, () => {
    const failure = whenDone();
    if (failure === undefined) resolveDeferred(finish, undefined);
    else rejectDeferred(finish, failure.error);
  }, (error) => {
    whenFailed(error);
    rejectDeferred(finish, error);
  });
  return finish.promise;
}

function failureOf({ state, storedError }) {
  return state === 'errored' ? { __proto__: null, error: storedError } : undefined;
}

// https://streams.spec.whatwg.org/#transform-stream-default-sink-abort-algorithm
function sinkAbort({ controller, readable }, reason) {
  const { cancel } = controller;
  return finishTransform(controller, () => cancel(reason), () => {
    const failure = failureOf(readable);
    if (failure === undefined) errorReadableController(readable.controller, reason);
    return failure;
  }, (error) => errorReadableController(readable.controller, error));
}

// https://streams.spec.whatwg.org/#transform-stream-default-sink-close-algorithm
function sinkClose({ controller, readable }) {
  const { flush } = controller;
  return finishTransform(controller, () => flush(), () => {
    const failure = failureOf(readable);
    if (failure === undefined) closeReadableController(readable.controller);
    return failure;
  }, (error) => errorReadableController(readable.controller, error));
}

// https://streams.spec.whatwg.org/#transform-stream-default-source-cancel
function sourceCancel(stream, reason) {
  const { controller, writable } = stream;
  const { cancel } = controller;
  return finishTransform(controller, () => cancel(reason), () => {
    const failure = failureOf(writable);
    if (failure === undefined) {
      errorWritableIfNeeded(writable.controller, reason);
      unblockWrite(stream);
    }
    return failure;
  }, (error) => {
    errorWritableIfNeeded(writable.controller, error);
    unblockWrite(stream);
  });
}

// https://streams.spec.whatwg.org/#transform-stream-default-source-pull-algorithm
function sourcePull(stream) {
  setTransformBackpressure(stream, false);
  return stream.backpressureChange.promise;
}

// toTransformer reads the dictionary Transformer.
function toTransformer(transformer) {
  const dictionary = { __proto__: null, cancel: undefined, flush: undefined, start: undefined, transform: undefined };
  if (transformer === undefined) return dictionary;
  const what = 'TransformStream: the transformer';
  dictionary.cancel = toCallback(transformer, 'cancel', what);
  dictionary.flush = toCallback(transformer, 'flush', what);
  const { readableType } = transformer;
  dictionary.start = toCallback(transformer, 'start', what);
  dictionary.transform = toCallback(transformer, 'transform', what);
  const { writableType } = transformer;
  if (readableType !== undefined) throw new RangeError(`${what} has a readableType, which is reserved`);
  if (writableType !== undefined) throw new RangeError(`${what} has a writableType, which is reserved`);
  return dictionary;
}

class TransformStream {
  constructor(transformer = undefined, writableStrategy = undefined, readableStrategy = undefined) {
    const given = toObjectArgument(transformer, 'TransformStream: the transformer');
    const forWritable = toQueuingStrategy(writableStrategy, 'TransformStream');
    const forReadable = toQueuingStrategy(readableStrategy, 'TransformStream');
    const { cancel, flush, start, transform } = toTransformer(given);
    const readableMark = extractHighWaterMark(forReadable, 0);
    const readableSize = extractSizeAlgorithm(forReadable);
    const writableMark = extractHighWaterMark(forWritable, 1);
    const writableSize = extractSizeAlgorithm(forWritable);
    const started = newDeferred();
    const stream = initializeTransformStream(this, started.promise, writableMark, writableSize, readableMark, readableSize);
    const resolved = () => promiseResolvedWith(undefined);
    const identity = (chunk) => attempt(() => {
      enqueueTransformed(controller, chunk);
      return resolved();
    });
    const controller = setUpTransformController(
      stream,
      transform === undefined ? identity : (chunk) => promiseCall(transform, given, [chunk, controller.object]),
      flush === undefined ? resolved : () => promiseCall(flush, given, [controller.object]),
      cancel === undefined ? resolved : (reason) => promiseCall(cancel, given, [reason]));
    resolveDeferred(started, start === undefined ? undefined : ReflectApply(start, given, [controller.object]));
  }

  get readable() {
    return transformSlots(this, 'TransformStream.readable').readable.object;
  }

  get writable() {
    return transformSlots(this, 'TransformStream.writable').writable.object;
  }
}

class TransformStreamDefaultController {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  get desiredSize() {
    const { stream } = transformControllerSlots(this, 'TransformStreamDefaultController.desiredSize');
    return readableDesiredSize(stream.readable.controller);
  }

  enqueue(chunk = undefined) {
    enqueueTransformed(transformControllerSlots(this, 'TransformStreamDefaultController.enqueue'), chunk);
  }

  error(reason = undefined) {
    errorTransform(transformControllerSlots(this, 'TransformStreamDefaultController.error').stream, reason);
  }

  terminate() {
    terminateTransform(transformControllerSlots(this, 'TransformStreamDefaultController.terminate'));
  }
}

defineInterface(TransformStream, 'TransformStream');
definePlatformKind(TransformStream, 'TransformStream', {
  __proto__: null, has: isTransformStream,
  describe: (value) => {
    const { readable, writable } = transformSlots(value);
    return [{ 0: 'readable', 1: readable.object }, { 0: 'writable', 1: writable.object }];
  },
});

exports.TransformStream = TransformStream;
exports.TransformStreamDefaultController =
  defineInterface(TransformStreamDefaultController, 'TransformStreamDefaultController');
