// Host: the one native function through which the runtime reaches the host, the
// operations it knows, and the bounds that the host has set for this run.
//
// The function is given to boot (entry.js), kept in this scope only, and never
// reaches guest code. Only strings and numbers go through it.
//
//   host(CALL, namespace, tool, argsText) → call id ≥ 1; 0 when the run is being ended
//   host(LOG, level, text, subject?)      subject: what hints.js says of an error, JSON
//   host(TIMER_START, delayMs, repeat)    → timer id ≥ 1; 0 when too many are pending
//   host(TIMER_CLEAR, id)
//   host(RESULT, codecText)               the value of the run
//   host(FAULT, json)                     why there is none, see fault.js
//   host(POSITION, file, line, column)    → where that is in the text as it was sent: line · 2^26 + column;
//                                           0 when the text is compiled as it was sent, -1 when the position is
//                                           in what a translation added. With the line 0: 1 or 0, whether the
//                                           text was translated.
//   host(NOW)                             → milliseconds since the time origin, whole, at least 1, never less than before
//   host(TIME_ORIGIN)                     → that, in milliseconds since 1970

const CALL = 1;
const LOG = 2;
const TIMER_START = 3;
const TIMER_CLEAR = 4;
const RESULT = 5;
const FAULT = 6;
const POSITION = 7;
const NOW = 9;
const TIME_ORIGIN = 10;

let host;

// The bounds of the run. Sizes are bytes for the host; the runtime counts UTF-16
// code units, of which there are never more, and stops when those pass the bound.
const limits = {
  result: 8388608,
  argument: 8388608,
  timers: 10000,
  logBytes: 1048576,
  logEntries: 10000,
  errorText: 65536,
  depth: 1000,
  nodes: 1000000,
};

// setLimits takes over the limits that the configuration has.
function setLimits(given) {
  const names = ObjectKeys(limits);
  for (let i = 0; i < names.length; i++) {
    if (ObjectHasOwn(given, names[i])) limits[names[i]] = given[names[i]];
  }
}

const ELLIPSIS = '\u2026';

// cut returns at most limit code units of text, with a mark where it was cut.
function cut(text, limit) {
  if (text.length <= limit) return text;
  let end = limit > 1 ? limit - 1 : 0;
  // Not between the halves of a surrogate pair.
  const last = end > 0 ? StringPrototypeCharCodeAt(text, end - 1) : 0;
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return StringPrototypeSlice(text, 0, end) + ELLIPSIS;
}
