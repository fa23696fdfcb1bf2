// ReadableStream.tee. https://streams.spec.whatwg.org/#abstract-opdef-readablestreamtee

// newTee makes what both branches share: who has been canceled, and with what.
function newTee(stream) {
  return {
    __proto__: null, stream, reader: undefined, reading: false, readAgain1: false, readAgain2: false,
    canceled1: false, canceled2: false, reason1: undefined, reason2: undefined, branch1: undefined, branch2: undefined,
    cancelDone: newDeferred(),
  };
}

// cancelBranch is what happens when a branch is canceled: the second time, the stream is.
function cancelBranch(tee, second, reason) {
  if (second) {
    tee.canceled2 = true;
    tee.reason2 = reason;
  } else {
    tee.canceled1 = true;
    tee.reason1 = reason;
  }
  if (tee.canceled1 && tee.canceled2) {
    resolveWithPromise(tee.cancelDone, cancelReadable(tee.stream, [tee.reason1, tee.reason2]));
  }
  return tee.cancelDone.promise;
}

function finishTee(tee) {
  if (!tee.canceled1 || !tee.canceled2) resolveDeferred(tee.cancelDone, undefined);
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablestreamdefaulttee
function teeDefaultStream(stream, cloneForBranch2 = false) {
  const tee = newTee(stream);
  tee.reader = acquireDefaultReader(stream);
  const request = {
    __proto__: null,
    chunkSteps: (chunk) => queueStep(() => {
      tee.readAgain1 = false;
      let other = chunk;
      if (cloneForBranch2 && !tee.canceled2) {
        try {
          other = part('structured_clone').structuredClone(chunk);
        } catch (error) {
          errorReadableController(tee.branch1.controller, error);
          errorReadableController(tee.branch2.controller, error);
          resolveWithPromise(tee.cancelDone, cancelReadable(tee.stream, error));
          return;
        }
      }
      if (!tee.canceled1) enqueueReadable(tee.branch1.controller, chunk);
      if (!tee.canceled2) enqueueReadable(tee.branch2.controller, other);
      tee.reading = false;
      if (tee.readAgain1) pull();
    }),
    closeSteps: () => {
      tee.reading = false;
      if (!tee.canceled1) closeReadableController(tee.branch1.controller);
      if (!tee.canceled2) closeReadableController(tee.branch2.controller);
      finishTee(tee);
    },
    errorSteps: () => {
      tee.reading = false;
    },
  };
  const pull = () => {
    if (tee.reading) {
      tee.readAgain1 = true;
    } else {
      tee.reading = true;
      readFromDefaultReader(tee.reader, request);
    }
    return promiseResolvedWith(undefined);
  };
  tee.branch1 = createReadableStream(nothing, pull, (reason) => cancelBranch(tee, false, reason));
  tee.branch2 = createReadableStream(nothing, pull, (reason) => cancelBranch(tee, true, reason));
  react(tee.reader.closed.promise, undefined, (error) => {
    errorReadableController(tee.branch1.controller, error);
    errorReadableController(tee.branch2.controller, error);
    finishTee(tee);
  });
  return [tee.branch1.object, tee.branch2.object];
}

// https://streams.spec.whatwg.org/#abstract-opdef-readablebytestreamtee
function teeByteStream(stream) {
  const tee = newTee(stream);
  tee.reader = acquireDefaultReader(stream);
  tee.branch1 = createReadableByteStream(nothing, () => pullBranch(tee, false), (reason) => cancelBranch(tee, false, reason));
  tee.branch2 = createReadableByteStream(nothing, () => pullBranch(tee, true), (reason) => cancelBranch(tee, true, reason));
  forwardReaderError(tee, tee.reader);
  return [tee.branch1.object, tee.branch2.object];
}

function forwardReaderError(tee, reader) {
  react(reader.closed.promise, undefined, (error) => {
    if (tee.reader !== reader) return;
    errorByteController(tee.branch1.controller, error);
    errorByteController(tee.branch2.controller, error);
    finishTee(tee);
  });
}

// useReader makes the reader one of the wanted kind.
function useReader(tee, isBYOB) {
  if (tee.reader.isBYOB === isBYOB) return;
  releaseReader(tee.reader);
  tee.reader = isBYOB ? acquireBYOBReader(tee.stream) : acquireDefaultReader(tee.stream);
  forwardReaderError(tee, tee.reader);
}

function pullBranch(tee, second) {
  if (tee.reading) {
    if (second) tee.readAgain2 = true;
    else tee.readAgain1 = true;
    return promiseResolvedWith(undefined);
  }
  tee.reading = true;
  const request = byobRequestOf((second ? tee.branch2 : tee.branch1).controller);
  if (request === null) pullWithDefaultReader(tee);
  else pullWithBYOBReader(tee, request.view, second);
  return promiseResolvedWith(undefined);
}

// pullOn goes on when a branch has asked while a chunk was on its way.
function pullOn(tee) {
  tee.reading = false;
  if (tee.readAgain1) pullBranch(tee, false);
  else if (tee.readAgain2) pullBranch(tee, true);
}

// cloneAsUint8Array returns undefined when there is no memory for a copy: then the stream is canceled.
// https://streams.spec.whatwg.org/#abstract-opdef-cloneasuint8array
function cloneAsUint8Array(tee, chunk) {
  try {
    const { buffer, byteOffset, byteLength } = viewParts(chunk);
    return new Uint8Array(copyOfBytes(buffer, byteOffset, byteLength));
  } catch (error) {
    errorByteController(tee.branch1.controller, error);
    errorByteController(tee.branch2.controller, error);
    resolveWithPromise(tee.cancelDone, cancelReadable(tee.stream, error));
    return undefined;
  }
}

function pullWithDefaultReader(tee) {
  useReader(tee, false);
  readFromDefaultReader(tee.reader, {
    __proto__: null,
    chunkSteps: (chunk) => queueStep(() => {
      tee.readAgain1 = tee.readAgain2 = false;
      let other = chunk;
      if (!tee.canceled1 && !tee.canceled2) {
        other = cloneAsUint8Array(tee, chunk);
        if (other === undefined) return;
      }
      if (!tee.canceled1) enqueueByteChunk(tee.branch1.controller, chunk);
      if (!tee.canceled2) enqueueByteChunk(tee.branch2.controller, other);
      pullOn(tee);
    }),
    closeSteps: () => {
      tee.reading = false;
      const first = tee.branch1.controller;
      const second = tee.branch2.controller;
      if (!tee.canceled1) closeByteController(first);
      if (!tee.canceled2) closeByteController(second);
      if (first.pending.length > 0) respond(first, 0);
      if (second.pending.length > 0) respond(second, 0);
      finishTee(tee);
    },
    errorSteps: () => {
      tee.reading = false;
    },
  });
}

function pullWithBYOBReader(tee, view, second) {
  useReader(tee, true);
  const asking = (second ? tee.branch2 : tee.branch1).controller;
  const other = (second ? tee.branch1 : tee.branch2).controller;
  const isAskingCanceled = () => (second ? tee.canceled2 : tee.canceled1);
  const isOtherCanceled = () => (second ? tee.canceled1 : tee.canceled2);
  readIntoView(tee.reader, view, 1, {
    __proto__: null,
    chunkSteps: (chunk) => queueStep(() => {
      tee.readAgain1 = tee.readAgain2 = false;
      if (!isOtherCanceled()) {
        const copy = cloneAsUint8Array(tee, chunk);
        if (copy === undefined) return;
        if (!isAskingCanceled()) respondWithNewView(asking, chunk);
        enqueueByteChunk(other, copy);
      } else if (!isAskingCanceled()) {
        respondWithNewView(asking, chunk);
      }
      pullOn(tee);
    }),
    closeSteps: (chunk) => {
      tee.reading = false;
      if (!isAskingCanceled()) closeByteController(asking);
      if (!isOtherCanceled()) closeByteController(other);
      if (chunk !== undefined) {
        if (!isAskingCanceled()) respondWithNewView(asking, chunk);
        if (!isOtherCanceled() && other.pending.length > 0) respond(other, 0);
      }
      finishTee(tee);
    },
    errorSteps: () => {
      tee.reading = false;
    },
  });
}
