// Timers: setTimeout, setInterval, clearTimeout and clearInterval.
// https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#timers
//
// The host keeps the clock and the queue; here are the callbacks. Different from
// HTML: a string of code is refused, and an interval is never shorter than 4 ms
// (HTML lets the first five be). The host bounds how many timers are pending.

// The pending timers: id → {callback, args, repeat, nesting, internal}.
const timers = new SafeMap();

// How deeply the timer that is running was set from within timers, and from
// which depth on, and to what, HTML raises short delays.
let timerNesting = 0;
const MAX_NESTING = 5;
const MIN_NESTED_DELAY = 4;

function startTimer(name, callback, delay, args, repeat) {
  //gate:protects no-code-generation
  if (typeof callback !== 'function') {
    throw new TypeError(
      typeof callback === 'string'
        ? `${name}: a string of code is not run; pass a function, as in ${name}(() => work(), 100)`
        : `${name}: the first argument must be a function`);
  }
  // Web IDL's conversion to long, then what HTML does with it.
  let wait = delay | 0;
  if (wait < 0) wait = 0;
  const nesting = timerNesting + 1;
  if (wait < MIN_NESTED_DELAY && (repeat || nesting > MAX_NESTING)) wait = MIN_NESTED_DELAY;
  const id = host(TIMER_START, wait, repeat ? 1 : 0);
  if (!(id > 0)) throw tooManyTimers(name);
  timers.set(id, { callback, args, repeat, nesting, internal: false });
  return id;
}

// startInternalTimer calls a function of the runtime's own, once, after at least delay
// milliseconds. Programs cannot clear such a timer.
function startInternalTimer(name, delay, callback) {
  const id = host(TIMER_START, delay, 0);
  if (!(id > 0)) throw tooManyTimers(name);
  timers.set(id, { callback, args: [], repeat: false, nesting: 0, internal: true });
}

function tooManyTimers(name) {
  return new RangeError(`${name}: too many timers are pending, the limit is ${limits.timers}`);
}

function clearTimer(given) {
  const id = given | 0;
  const timer = timers.get(id);
  if (timer === undefined || timer.internal) return;
  timers.delete(id);
  host(TIMER_CLEAR, id);
}

// fireTimer runs the callback of a timer whose time has come. What it throws is
// reported and stops nothing else.
function fireTimer(id) {
  const timer = timers.get(id);
  if (timer === undefined) return;
  if (!timer.repeat) timers.delete(id);
  timerNesting = timer.nesting;
  try {
    ReflectApply(timer.callback, globalObject, timer.args);
  } catch (error) {
    part('reports').reportException(error, 'a timer');
  }
  timerNesting = 0;
}

// currentTime returns the milliseconds since the time origin, a whole number.
// https://w3c.github.io/hr-time/#dfn-current-high-resolution-time
function currentTime() {
  return host(NOW);
}

exports.functions = {
  setTimeout(handler, timeout = 0, ...args) {
    return startTimer('setTimeout', handler, timeout, args, false);
  },
  clearTimeout(id = 0) {
    clearTimer(id);
  },
  setInterval(handler, timeout = 0, ...args) {
    return startTimer('setInterval', handler, timeout, args, true);
  },
  clearInterval(id = 0) {
    clearTimer(id);
  },
};
