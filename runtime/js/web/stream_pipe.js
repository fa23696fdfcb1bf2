// Piping a readable stream to a writable one.
// https://streams.spec.whatwg.org/#readable-stream-pipe-to
//
// A pipe: {source, destination, reader, writer, options, shuttingDown, currentWrite: a promise, done: a deferred,
// abortAlgorithm}.

// pipeReadableTo returns the promise of the pipe's end.
function pipeReadableTo(source, destination, options) {
  const pipe = {
    __proto__: null, source, destination, options, reader: acquireDefaultReader(source), writer: acquireWriter(destination),
    shuttingDown: false, currentWrite: promiseResolvedWith(undefined), done: newDeferred(), abortAlgorithm: undefined,
  };
  source.disturbed = true;
  const { signal } = options;
  if (signal !== undefined) {
    const { isAborted, addAbortAlgorithm } = part('events');
    pipe.abortAlgorithm = () => abortPipe(pipe);
    if (isAborted(signal)) {
      abortPipe(pipe);
      return pipe.done.promise;
    }
    addAbortAlgorithm(signal, pipe.abortAlgorithm);
  }
  propagate(pipe);
  markHandled(pipeLoop(pipe));
  return pipe.done.promise;
}

function abortPipe(pipe) {
  const { source, destination, options } = pipe;
  const error = part('events').abortReason(options.signal);
  const actions = newList();
  if (!options.preventAbort) {
    actions[actions.length] = () => (
      destination.state === 'writable' ? abortWritable(destination, error) : promiseResolvedWith(undefined));
  }
  if (!options.preventCancel) {
    actions[actions.length] = () => (
      source.state === 'readable' ? cancelReadable(source, error) : promiseResolvedWith(undefined));
  }
  shutDown(pipe, () => waitForAll(actions), { __proto__: null, error });
}

// waitForAll calls functions and returns the promise that all of theirs are fulfilled.
// https://webidl.spec.whatwg.org/#wait-for-all
function waitForAll(actions) {
  const promises = newList();
  for (let i = 0; i < actions.length; i++) promises[i] = ReflectApply(actions[i], undefined, []);
  const deferred = newDeferred();
  let left = promises.length;
  if (left === 0) resolveDeferred(deferred, undefined);
  for (let i = 0; i < promises.length; i++) {
    react(promises[i], () => {
      if (--left === 0) resolveDeferred(deferred, undefined);
    }, (error) => rejectDeferred(deferred, error));
  }
  return deferred.promise;
}

// propagate watches both ends: errors and closing, forward and backward.
function propagate(pipe) {
  const { source, destination, reader, writer, options } = pipe;
  whenErrored(source, reader, (error) => {
    shutDown(pipe, options.preventAbort ? undefined : () => abortWritable(destination, error), { __proto__: null, error });
  });
  whenErrored(destination, writer, (error) => {
    shutDown(pipe, options.preventCancel ? undefined : () => cancelReadable(source, error), { __proto__: null, error });
  });
  const closed = () => shutDown(pipe, options.preventClose ? undefined : () => closeWithErrorPropagation(writer), undefined);
  if (source.state === 'closed') closed();
  else react(reader.closed.promise, closed, nothing);
  if (isClosing(destination) || destination.state === 'closed') {
    const error = new TypeError('the destination of the pipe is closed, or is being closed');
    shutDown(pipe, options.preventCancel ? undefined : () => cancelReadable(source, error), { __proto__: null, error });
  }
}

function whenErrored(stream, end, action) {
  if (stream.state === 'errored') action(stream.storedError);
  else react(end.closed.promise, nothing, action);
}

// pipeLoop moves chunks until the pipe is shutting down. It returns a promise that may be
// rejected when an end is errored, which propagate sees too.
function pipeLoop(pipe) {
  const deferred = newDeferred();
  const next = () => {
    if (pipe.shuttingDown) {
      resolveDeferred(deferred, undefined);
      return;
    }
    react(pipe.writer.ready.promise, () => {
      if (pipe.shuttingDown) {
        resolveDeferred(deferred, undefined);
        return;
      }
      readFromDefaultReader(pipe.reader, {
        __proto__: null,
        chunkSteps: (chunk) => writeInTurn(pipe, chunk, next),
        closeSteps: () => resolveDeferred(deferred, undefined),
        errorSteps: (error) => rejectDeferred(deferred, error),
      });
    }, (error) => rejectDeferred(deferred, error));
  };
  next();
  return deferred.promise;
}

// writeInTurn writes a chunk that was read, and goes on. What has enqueued the chunk goes on
// before the sink is called.
function writeInTurn(pipe, chunk, next) {
  const written = newDeferred();
  const finish = () => resolveDeferred(written, undefined);
  pipe.currentWrite = written.promise;
  queueStep(() => {
    // A pipe that has ended drops what it has read last.
    if (pipe.writer.stream === undefined) return;
    react(writeChunk(pipe.writer, chunk), finish, finish);
    next();
  });
}

// whenWritten runs a step when all chunks that were read have been written.
function whenWritten(pipe, step) {
  const { currentWrite } = pipe;
  react(currentWrite, () => {
    if (currentWrite === pipe.currentWrite) step();
    else whenWritten(pipe, step);
  });
}

// shutDown ends the pipe, with an action when there is one. failure has the error, if the
// pipe ends with one.
// https://streams.spec.whatwg.org/#rs-pipeTo-shutdown-with-action, https://streams.spec.whatwg.org/#rs-pipeTo-shutdown
function shutDown(pipe, action, failure) {
  if (pipe.shuttingDown) return;
  pipe.shuttingDown = true;
  const act = () => {
    if (action === undefined) {
      finalizePipe(pipe, failure);
      return;
    }
    react(action(), () => finalizePipe(pipe, failure), (error) => finalizePipe(pipe, { __proto__: null, error }));
  };
  if (pipe.destination.state === 'writable' && !isClosing(pipe.destination)) whenWritten(pipe, act);
  else act();
}

// https://streams.spec.whatwg.org/#rs-pipeTo-finalize
function finalizePipe(pipe, failure) {
  releaseWriter(pipe.writer);
  releaseReader(pipe.reader);
  const { signal } = pipe.options;
  if (signal !== undefined) part('events').removeAbortAlgorithm(signal, pipe.abortAlgorithm);
  if (failure === undefined) resolveDeferred(pipe.done, undefined);
  else rejectDeferred(pipe.done, failure.error);
}
