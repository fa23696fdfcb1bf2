// Microtasks: queueMicrotask.
// https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#microtask-queuing

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

function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw new TypeError('queueMicrotask: the argument must be a function');
  runMicrotask(callback);
}
