// AbortController and AbortSignal. https://dom.spec.whatwg.org/#aborting-ongoing-activities
//
// Different from the standard in memory only: a signal that AbortSignal.any makes is kept
// by its sources, for as long as they are.

const { add: addSignalSlots, has: isAbortSignal, of: signalSlots } = newSlots('AbortSignal');

function newAbortSignal() {
  const signal = { __proto__: AbortSignal.prototype };
  initializeEventTarget(signal);
  return addSignalSlots(signal, {
    __proto__: null, reason: undefined, algorithms: newList(),
    dependent: false, sources: newList(), dependents: newList(),
  });
}

function isAborted(signal) {
  return signalSlots(signal).reason !== undefined;
}

function abortReason(signal) {
  return signalSlots(signal).reason;
}

// https://dom.spec.whatwg.org/#abortsignal-add
// The algorithm is a function without arguments that does not throw.
function addAbortAlgorithm(signal, algorithm) {
  const { reason, algorithms } = signalSlots(signal);
  if (reason === undefined) algorithms[algorithms.length] = algorithm;
}

// https://dom.spec.whatwg.org/#abortsignal-remove
function removeAbortAlgorithm(signal, algorithm) {
  const slots = signalSlots(signal);
  const rest = newList();
  for (let i = 0; i < slots.algorithms.length; i++) {
    if (slots.algorithms[i] !== algorithm) rest[rest.length] = slots.algorithms[i];
  }
  slots.algorithms = rest;
}

function orAbortError(reason) {
  return reason === undefined ? newDOMException('This operation was aborted', 'AbortError') : reason;
}

// https://dom.spec.whatwg.org/#abortsignal-signal-abort
function signalAbort(signal, reason) {
  const slots = signalSlots(signal);
  if (slots.reason !== undefined) return;
  slots.reason = orAbortError(reason);
  const aborted = newList();
  for (let i = 0; i < slots.dependents.length; i++) {
    const dependent = slots.dependents[i];
    const dependentSlots = signalSlots(dependent);
    if (dependentSlots.reason !== undefined) continue;
    dependentSlots.reason = slots.reason;
    aborted[aborted.length] = dependent;
  }
  runAbortSteps(signal, slots);
  for (let i = 0; i < aborted.length; i++) runAbortSteps(aborted[i], signalSlots(aborted[i]));
}

// https://dom.spec.whatwg.org/#run-the-abort-steps
function runAbortSteps(signal, slots) {
  const { algorithms } = slots;
  slots.algorithms = newList();
  slots.dependents = newList();
  slots.sources = newList();
  for (let i = 0; i < algorithms.length; i++) ReflectApply(algorithms[i], undefined, []);
  dispatchEvent(newTrustedEvent('abort'), signal);
}

// https://dom.spec.whatwg.org/#create-a-dependent-abort-signal
function newDependentSignal(signals) {
  const result = newAbortSignal();
  const slots = signalSlots(result);
  for (let i = 0; i < signals.length; i++) {
    const { reason } = signalSlots(signals[i]);
    if (reason !== undefined) {
      slots.reason = reason;
      return result;
    }
  }
  slots.dependent = true;
  for (let i = 0; i < signals.length; i++) {
    const { dependent, sources } = signalSlots(signals[i]);
    if (!dependent) {
      follow(result, slots, signals[i]);
    } else {
      for (let j = 0; j < sources.length; j++) follow(result, slots, sources[j]);
    }
  }
  return result;
}

// follow makes a dependent signal follow a source, once.
function follow(dependent, slots, source) {
  const { sources } = slots;
  for (let i = 0; i < sources.length; i++) if (sources[i] === source) return;
  sources[sources.length] = source;
  const { dependents } = signalSlots(source);
  dependents[dependents.length] = dependent;
}

class AbortSignal {
  constructor() {
    throw new TypeError('Illegal constructor');
  }

  static abort(reason = undefined) {
    const signal = newAbortSignal();
    signalSlots(signal).reason = orAbortError(reason);
    return signal;
  }

  static timeout(milliseconds) {
    requireArguments(arguments.length, 1, 'AbortSignal.timeout');
    const delay = toUnsignedLongLong(milliseconds, 'AbortSignal.timeout: the time', ENFORCE_RANGE);
    const signal = newAbortSignal();
    startInternalTimer('AbortSignal.timeout', delay, () => {
      signalAbort(signal, newDOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
    return signal;
  }

  static any(signals) {
    requireArguments(arguments.length, 1, 'AbortSignal.any');
    const list = toSequence(signals, 'AbortSignal.any: the signals', (value, what) => {
      if (!isAbortSignal(value)) throw new TypeError(`${what} is not an AbortSignal`);
      return value;
    });
    return newDependentSignal(list);
  }

  get aborted() {
    return signalSlots(this, 'AbortSignal.aborted').reason !== undefined;
  }

  get reason() {
    return signalSlots(this, 'AbortSignal.reason').reason;
  }

  throwIfAborted() {
    const { reason } = signalSlots(this, 'AbortSignal.throwIfAborted');
    if (reason !== undefined) throw reason;
  }
}

let describeController;
let isController;

class AbortController {
  #signal = newAbortSignal();

  static {
    describeController = (value) => [{ 0: 'signal', 1: value.#signal }];
    isController = (value) => isObject(value) && #signal in value;
  }

  get signal() {
    if (!isController(this)) throw illegalInvocation('AbortController.signal');
    return this.#signal;
  }

  abort(reason = undefined) {
    if (!isController(this)) throw illegalInvocation('AbortController.abort');
    signalAbort(this.#signal, reason);
  }
}

defineEventHandler(AbortSignal, 'abort', signalSlots);
defineInterface(AbortSignal, 'AbortSignal');
inheritInterface(AbortSignal, EventTarget);
defineInterface(AbortController, 'AbortController');
definePlatformKind(AbortSignal, 'AbortSignal', {
  __proto__: null, has: isAbortSignal, describe: (value) => [{ 0: 'aborted', 1: isAborted(value) }],
});
definePlatformKind(AbortController, 'AbortController', { __proto__: null, has: isController, describe: describeController });

exports.AbortSignal = AbortSignal;
exports.AbortController = AbortController;
exports.newAbortSignal = newAbortSignal;
exports.newDependentSignal = newDependentSignal;
exports.signalAbort = signalAbort;
exports.isAbortSignal = isAbortSignal;
exports.isAborted = isAborted;
exports.abortReason = abortReason;
exports.addAbortAlgorithm = addAbortAlgorithm;
exports.removeAbortAlgorithm = removeAbortAlgorithm;
