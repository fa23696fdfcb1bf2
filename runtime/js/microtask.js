// Microtasks: queueMicrotask, and what becomes of exceptions that nobody can catch.
// https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#microtask-queuing
// https://html.spec.whatwg.org/multipage/webappapis.html#report-the-exception
//
// Such exceptions end nothing: the program's value still counts. They are
// logged, so that a program which then waits for ever says why.

// runMicrotask awaits once, which takes exactly one microtask and, on a value
// that is no object, looks nothing up that a guest could have patched.
async function runMicrotask(callback) {
  await undefined;
  try {
    ReflectApply(callback, undefined, []);
  } catch (error) {
    reportException(error, 'a microtask');
  }
}

const microtaskFunctions = {
  queueMicrotask(callback) {
    if (typeof callback !== 'function') throw new TypeError('queueMicrotask: the argument must be a function');
    runMicrotask(callback);
  },
};

function reportException(error, where) {
  writeLog('error', `Uncaught exception in ${where}: ${inspectSafely(error)}`);
}

// unhandledRejection is called by the host for a promise that was rejected and
// that nobody handles once the microtasks have run.
function unhandledRejection(reason) {
  writeLog('error', `Unhandled rejection: ${inspectSafely(reason)}`);
}
