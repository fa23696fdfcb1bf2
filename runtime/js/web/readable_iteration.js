// Streams and asynchronous iteration: ReadableStream.from, and for await over a stream.
// https://streams.spec.whatwg.org/#readable-stream-from-iterable
// https://streams.spec.whatwg.org/#rs-asynciterator, https://webidl.spec.whatwg.org/#js-asynchronous-iterable

// newSourceIterator returns {next, close} of an iterable: next() gives the promise of a result,
// close(reason) the promise of what the return method gives, undefined when there is none.
function newSourceIterator(iterable) {
  if (iterable === undefined || iterable === null) throw new TypeError('ReadableStream.from: the argument is not iterable');
  const method = iterable[SymbolAsyncIterator];
  if (method !== undefined && method !== null) return asyncSourceIterator(openIterator(iterable, method));
  const syncMethod = iterable[SymbolIterator];
  if (syncMethod === undefined || syncMethod === null) throw new TypeError('ReadableStream.from: the argument is not iterable');
  return syncSourceIterator(openIterator(iterable, syncMethod));
}

function openIterator(iterable, method) {
  if (typeof method !== 'function') throw new TypeError('ReadableStream.from: the argument is not iterable');
  const iterator = ReflectApply(method, iterable, []);
  if (!isObject(iterator)) throw new TypeError('ReadableStream.from: the iterator is not an object');
  return { __proto__: null, iterator, next: iterator.next };
}

// returnMethodOf is GetMethod(iterator, "return").
function returnMethodOf(iterator) {
  const method = iterator.return;
  if (method === undefined || method === null) return undefined;
  if (typeof method !== 'function') throw new TypeError('ReadableStream.from: return is not a function');
  return method;
}

function asyncSourceIterator({ iterator, next }) {
  return {
    __proto__: null,
    next: () => attempt(() => promiseResolvedWith(ReflectApply(next, iterator, []))),
    close: (reason) => attempt(() => {
      const method = returnMethodOf(iterator);
      return method === undefined ? undefined : promiseResolvedWith(ReflectApply(method, iterator, [reason]));
    }),
  };
}

// https://tc39.es/ecma262/#sec-async-from-sync-iterator-objects
function syncSourceIterator({ iterator, next }) {
  const awaited = (result) => {
    if (!isObject(result)) throw new TypeError('ReadableStream.from: the iterator gave something that is not an object');
    const done = !!result.done;
    return reacting(promiseResolvedWith(result.value), (value) => ({ __proto__: null, value, done }), (error) => {
      // A value that is a rejected promise ends the iteration.
      if (!done) closeQuietly(iterator);
      throw error;
    });
  };
  return {
    __proto__: null,
    next: () => attempt(() => awaited(ReflectApply(next, iterator, []))),
    close: (reason) => attempt(() => {
      const method = returnMethodOf(iterator);
      return method === undefined ? undefined : awaited(ReflectApply(method, iterator, [reason]));
    }),
  };
}

function closeQuietly(iterator) {
  try {
    const method = returnMethodOf(iterator);
    if (method !== undefined) ReflectApply(method, iterator, []);
  } catch {
    // The first error counts.
  }
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablestreamfromiterable
function readableStreamFrom(iterable) {
  const { next, close } = newSourceIterator(iterable);
  const pull = () => reacting(next(), (result) => {
    if (!isObject(result)) throw new TypeError('ReadableStream.from: the iterator gave something that is not an object');
    if (result.done) closeReadableController(stream.controller);
    else enqueueReadable(stream.controller, result.value);
  });
  const cancel = (reason) => {
    const closing = close(reason);
    if (closing === undefined) return promiseResolvedWith(undefined);
    return reacting(closing, (result) => {
      if (!isObject(result)) throw new TypeError('ReadableStream.from: return gave something that is not an object');
    });
  };
  const stream = createReadableStream(nothing, pull, cancel, 0);
  return stream;
}

const { add: addIteratorSlots, of: streamIteratorSlots } = newSlots('ReadableStream AsyncIterator');

// END stands for the end of iteration.
const END = ObjectFreeze({ __proto__: null });

function newStreamIterator(stream, preventCancel) {
  const reader = acquireDefaultReader(stream);
  return addIteratorSlots({ __proto__: streamIteratorPrototype }, {
    __proto__: null, reader, preventCancel, ongoing: undefined, isFinished: false,
  });
}

// https://streams.spec.whatwg.org/#rs-asynciterator-prototype-next
function nextChunk({ reader }) {
  const deferred = newDeferred();
  readFromDefaultReader(reader, {
    __proto__: null,
    chunkSteps: (chunk) => resolveDeferred(deferred, chunk),
    closeSteps: () => {
      releaseReader(reader);
      resolveDeferred(deferred, END);
    },
    errorSteps: (error) => {
      releaseReader(reader);
      rejectDeferred(deferred, error);
    },
  });
  return deferred.promise;
}

// https://streams.spec.whatwg.org/#rs-asynciterator-prototype-return
function finishIteration({ reader, preventCancel }, value) {
  if (preventCancel) {
    releaseReader(reader);
    return promiseResolvedWith(undefined);
  }
  const result = cancelReadable(reader.stream, value);
  releaseReader(reader);
  return result;
}

function nextStep(slots) {
  if (slots.isFinished) return promiseResolvedWith({ value: undefined, done: true });
  return reacting(nextChunk(slots), (chunk) => {
    slots.ongoing = undefined;
    if (chunk !== END) return { value: chunk, done: false };
    slots.isFinished = true;
    return { value: undefined, done: true };
  }, (error) => {
    slots.ongoing = undefined;
    slots.isFinished = true;
    throw error;
  });
}

function returnStep(slots, value) {
  if (slots.isFinished) return promiseResolvedWith({ value, done: true });
  slots.isFinished = true;
  return finishIteration(slots, value);
}

// inTurn runs a step once what is going on has been settled.
function inTurn(slots, step) {
  slots.ongoing = slots.ongoing === undefined ? step() : chaining(slots.ongoing, step, step);
  return slots.ongoing;
}

// https://webidl.spec.whatwg.org/#js-asynchronous-iterator-prototype-object
const streamIteratorPrototype = {
  __proto__: AsyncIteratorPrototype,
  next() {
    return attempt(() => {
      const slots = streamIteratorSlots(this, 'ReadableStream AsyncIterator.next');
      return inTurn(slots, () => nextStep(slots));
    });
  },
  return(value) {
    return attempt(() => {
      const slots = streamIteratorSlots(this, 'ReadableStream AsyncIterator.return');
      return reacting(inTurn(slots, () => returnStep(slots, value)), () => ({ value, done: true }));
    });
  },
};
classString(streamIteratorPrototype, 'ReadableStream AsyncIterator');
