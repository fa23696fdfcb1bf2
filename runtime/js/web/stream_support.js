// Streams: promises, queues and buffers, as the algorithms of the standard need them.
// https://streams.spec.whatwg.org/#supporting-abstract-ops
//
// The algorithms work on records of internal slots. A record has its object in the field
// object; the object has the record in a private field (newSlots).

// A deferred is a promise with what settles it: {promise, resolve, reject, settled}.
function newDeferred() {
  const deferred = { __proto__: null, promise: undefined, resolve: undefined, reject: undefined, settled: false };
  deferred.promise = new Promise((resolve, reject) => {
    deferred.resolve = resolve;
    deferred.reject = reject;
  });
  return deferred;
}

function resolveDeferred(deferred, value) {
  deferred.settled = true;
  deferred.resolve(value);
}

// resolveWithPromise resolves a deferred with a promise of the runtime's own.
async function resolveWithPromise(deferred, promise) {
  deferred.settled = true;
  await undefined;
  react(promise, deferred.resolve, deferred.reject);
}

function rejectDeferred(deferred, reason) {
  deferred.settled = true;
  deferred.reject(reason);
}

function newResolved() {
  const deferred = newDeferred();
  resolveDeferred(deferred, undefined);
  return deferred;
}

// newRejected makes a rejected deferred that counts as handled.
function newRejected(reason) {
  const deferred = newDeferred();
  rejectDeferred(deferred, reason);
  markHandled(deferred.promise);
  return deferred;
}

// https://webidl.spec.whatwg.org/#a-promise-resolved-with
function promiseResolvedWith(value) {
  return new Promise((resolve) => resolve(value));
}

function promiseRejectedWith(reason) {
  return new Promise((resolve, reject) => reject(reason));
}

function nothing() {}

// reacting returns the promise of what the steps return or throw that run when a promise is
// settled. It takes as many microtasks as Promise.prototype.then, which would look up the
// class of the promise.
// https://webidl.spec.whatwg.org/#dfn-perform-steps-once-promise-is-settled
async function reacting(promise, fulfilled, rejected) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    if (rejected === undefined) throw error;
    return rejected(error);
  }
  return fulfilled === undefined ? value : fulfilled(value);
}

// chaining is reacting for steps that return promises of the runtime's own. To resolve one
// promise with another looks up the other's method then, so it is waited for; that takes as
// many microtasks.
async function chaining(promise, fulfilled, rejected) {
  let given;
  let steps = fulfilled;
  try {
    given = await promise;
  } catch (error) {
    if (rejected === undefined) throw error;
    given = error;
    steps = rejected;
  }
  const next = steps(given);
  await undefined;
  return await next;
}

// following returns a promise that becomes what a promise of the runtime's own does, as late
// as one that is resolved with it would.
async function following(promise) {
  await undefined;
  return await promise;
}

// react is for steps that neither throw nor return anything.
function react(promise, fulfilled, rejected) {
  reacting(promise, fulfilled, rejected);
}

function markHandled(promise) {
  reacting(promise, undefined, nothing);
}

// promiseCall returns the promise of what a function of the program's returns or throws.
// https://webidl.spec.whatwg.org/#invoke-a-callback-function, for those that return promises.
function promiseCall(callback, receiver, args) {
  try {
    return promiseResolvedWith(ReflectApply(callback, receiver, args));
  } catch (error) {
    return promiseRejectedWith(error);
  }
}

// attempt returns the promise of what steps return, which may be a promise, and a rejected
// one when they throw: what an operation of an interface does that returns a promise.
function attempt(steps) {
  try {
    return steps();
  } catch (error) {
    return promiseRejectedWith(error);
  }
}

// queueStep runs a step as a microtask of its own.
function queueStep(step) {
  react(promiseResolvedWith(undefined), step);
}

// A container has a queue of {value, size} and their total size.
// https://streams.spec.whatwg.org/#queue-with-sizes
function resetQueue(container) {
  container.queue = newQueue();
  container.queueTotalSize = 0;
}

function enqueueValueWithSize(container, value, size) {
  if (!(size >= 0) || size === Infinity) throw new RangeError('the size of a chunk must be a finite number that is not negative');
  addToQueue(container.queue, { __proto__: null, value, size });
  container.queueTotalSize += size;
}

function dequeueValue(container) {
  const { value, size } = takeFromQueue(container.queue);
  container.queueTotalSize -= size;
  if (container.queueTotalSize < 0) container.queueTotalSize = 0;
  return value;
}

// toCallback reads a member of a dictionary that is a function, undefined when it is absent.
function toCallback(given, name, what) {
  const callback = given[name];
  if (callback === undefined) return undefined;
  if (typeof callback !== 'function') throw new TypeError(`${what}: ${name} is not a function`);
  return callback;
}

// toObjectArgument converts "optional object": undefined stays, and other values must be objects.
function toObjectArgument(value, what) {
  if (value !== undefined && !isObject(value)) throw new TypeError(`${what} is not an object`);
  return value;
}

// toQueuingStrategy reads the dictionary QueuingStrategy.
function toQueuingStrategy(value, what) {
  const given = toDictionaryObject(value, `${what}: the strategy`);
  const strategy = { __proto__: null, highWaterMark: undefined, size: undefined };
  if (given === undefined) return strategy;
  const { highWaterMark } = given;
  if (highWaterMark !== undefined) strategy.highWaterMark = toUnrestrictedDouble(highWaterMark);
  strategy.size = toCallback(given, 'size', `${what}: the strategy`);
  return strategy;
}

// https://streams.spec.whatwg.org/#validate-and-normalize-high-water-mark
function extractHighWaterMark({ highWaterMark }, otherwise) {
  if (highWaterMark === undefined) return otherwise;
  if (!(highWaterMark >= 0)) throw new RangeError('highWaterMark must be a number that is not negative');
  return highWaterMark;
}

// https://streams.spec.whatwg.org/#make-size-algorithm-from-size-function
function extractSizeAlgorithm({ size }) {
  if (size === undefined) return () => 1;
  return (chunk) => toUnrestrictedDouble(ReflectApply(size, undefined, [chunk]));
}

// viewParts returns what a view shows: {buffer, byteOffset, byteLength, length, elementSize, constructor}.
// It throws for a DataView whose buffer is detached.
function viewParts(view) {
  const name = TypedArrayPrototypeGetToStringTag(view);
  if (name === undefined) {
    const byteLength = DataViewPrototypeGetByteLength(view);
    return {
      __proto__: null, buffer: DataViewPrototypeGetBuffer(view), byteOffset: DataViewPrototypeGetByteOffset(view), byteLength,
      length: byteLength, elementSize: 1, constructor: DataView,
    };
  }
  const constructor = typedArrayConstructors.get(name);
  return {
    __proto__: null, buffer: TypedArrayPrototypeGetBuffer(view), byteOffset: TypedArrayPrototypeGetByteOffset(view),
    byteLength: TypedArrayPrototypeGetByteLength(view), length: TypedArrayPrototypeGetLength(view),
    elementSize: constructor.BYTES_PER_ELEMENT, constructor,
  };
}

function toView(value, what) {
  if (!ArrayBufferIsView(value)) throw new TypeError(`${what} is not an ArrayBufferView`);
  return value;
}

// https://streams.spec.whatwg.org/#transfer-array-buffer
function transferBuffer(buffer) {
  if (isDetachedBuffer(buffer)) throw new TypeError('the ArrayBuffer is detached');
  const moved = native(TRANSFER, buffer);
  if (moved === undefined) throw new TypeError('the ArrayBuffer cannot be transferred');
  return moved;
}

// copyOfBytes returns a new buffer with a part of the bytes of another.
function copyOfBytes(buffer, byteOffset, byteLength) {
  const copy = new ArrayBuffer(byteLength);
  TypedArrayPrototypeSet(new Uint8Array(copy), new Uint8Array(buffer, byteOffset, byteLength));
  return copy;
}
