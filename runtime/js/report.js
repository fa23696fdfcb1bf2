// Reports: what becomes of exceptions that nobody can catch any more, and reportError.
// https://html.spec.whatwg.org/multipage/webappapis.html#report-the-exception
// https://html.spec.whatwg.org/multipage/webappapis.html#unhandled-promise-rejections
//
// Such exceptions end nothing: the program's value still counts. They are logged
// with all that a fault would say, so that a program which then waits for ever says
// why. Different from HTML: no event is fired for them.

// writeReport logs an exception. Groups of the console do not indent it.
function writeReport(what, error) {
  const subject = hintSubject(error);
  const text = cut(`${what}: ${inspectSafely(error)}`, limits.logBytes + 1);
  if (subject === undefined) host(LOG, 'error', text);
  else host(LOG, 'error', text, JSONStringify(subject));
}

function reportException(error, where) {
  writeReport(`Uncaught exception in ${where}`, error);
}

// unhandledRejection is called by the host for a promise that was rejected and
// that nobody handles once the microtasks have run.
function unhandledRejection(reason) {
  writeReport('Unhandled rejection', reason);
}

const reportFunctions = {
  reportError(error) {
    requireArguments(arguments.length, 1, 'reportError');
    writeReport('Uncaught exception', error);
  },
};
