// Reports: what becomes of exceptions that nobody can catch any more, and reportError.
// https://html.spec.whatwg.org/multipage/webappapis.html#report-the-exception
// https://html.spec.whatwg.org/multipage/webappapis.html#unhandled-promise-rejections
//
// Such exceptions end nothing: the program's value still counts. The global object is told
// of them by an event; those that no listener takes for handled are logged
// with all that a fault would say, so that a program which then waits for ever says
// why. What the program itself throws is its fault, and no event.

// writeReport logs an exception. Groups of the console do not indent it.
function writeReport(what, error) {
  const subject = hintSubject(error);
  const text = cut(`${what}: ${inspectSafely(error)}`, limits.logBytes + 1);
  if (subject === undefined) host(LOG, 'error', text);
  else host(LOG, 'error', text, JSONStringify(subject));
}

// isHeard reports whether somebody listens at the global object for events of a type. Until
// the part of events is built nobody can.
function isHeard(type) {
  return isBuilt('events') && part('events').hasGlobalListener(type);
}

// While listeners are told of an exception, what they throw is not told to them again.
let isReporting = false;

// isHandled tells listeners of an exception and reports whether one has handled it.
function isHandled(error) {
  if (isReporting || !isHeard('error')) return false;
  isReporting = true;
  try {
    return part('error_events').fireError(error);
  } catch {
    return false; // the stack ran out
  } finally {
    isReporting = false;
  }
}

function reportException(error, where) {
  if (!isHandled(error)) writeReport(`Uncaught exception in ${where}`, error);
}

// The promises whose rejections were reported, and their reasons.
const reportedRejections = new SafeWeakMap();

// unhandledRejection is called by the host for a promise that was rejected and
// that nobody handles once the microtasks have run; and again, with isHandledNow, when
// somebody does after that.
function unhandledRejection(reason, promise, isHandledNow) {
  let canceled = false;
  try {
    if (isHandledNow) {
      if (!reportedRejections.has(promise)) return;
      const given = reportedRejections.get(promise);
      reportedRejections.delete(promise);
      if (isHeard('rejectionhandled')) part('error_events').fireRejection('rejectionhandled', promise, given);
      return;
    }
    if (isHeard('unhandledrejection')) canceled = part('error_events').fireRejection('unhandledrejection', promise, reason);
    reportedRejections.set(promise, reason);
  } catch {
    // The stack ran out.
  }
  if (!canceled) writeReport('Unhandled rejection', reason);
}

// The functions of the global object that this part has (microtask.js has the other).
exports.functions = {
  queueMicrotask(callback) {
    queueMicrotask(callback);
  },
  reportError(error) {
    requireArguments(arguments.length, 1, 'reportError');
    if (!isHandled(error)) writeReport('Uncaught exception', error);
  },
};
