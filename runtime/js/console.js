// Console: https://console.spec.whatwg.org/
//
// Each call becomes one log entry of the run, with a level. Formatting is in
// inspect.js and console_format.js. The host bounds the entries and their size;
// what an entry has beyond that bound is cut here already.

const GROUP_INDENT = 2;
const MAX_GROUP_INDENT = 80; // columns; deeper groups are still counted

let groupDepth = 0;
const counts = new SafeMap(); // from label to count
const clocks = new SafeMap(); // from label to when it was started, in milliseconds

// writeLog makes a log entry of a text, indented for the open groups.
function writeLog(level, text) {
  let line = text;
  if (groupDepth > 0) {
    const columns = GROUP_INDENT * groupDepth;
    const indentation = StringPrototypeRepeat(' ', columns < MAX_GROUP_INDENT ? columns : MAX_GROUP_INDENT);
    line = indentation + part('inspection').indentLines(cut(text, limits.logBytes), indentation);
  }
  // One code unit more than the bound shows the host that something is missing.
  host(LOG, level, line.length > limits.logBytes ? cut(line, limits.logBytes + 1) : line);
}

function logData(level, data) {
  writeLog(level, formatData(data));
}

function labelText(label) {
  return `${label}`;
}

function clockText(label) {
  return `${label}: ${DateNow() - clocks.get(label)}ms`;
}

// depthOption returns the depth that the options of dir ask for, undefined for the usual one.
function depthOption(options) {
  if (typeof options !== 'object' || options === null) return undefined;
  const depth = dataOf(options, 'depth');
  if (depth === null) return MAX_DIR_DEPTH;
  if (typeof depth !== 'number' || !(depth >= 0)) return undefined;
  return depth < MAX_DIR_DEPTH ? depth : MAX_DIR_DEPTH;
}

const MAX_DIR_DEPTH = 100;

// The methods in the order of the standard, all with the length 0 that Web IDL
// gives to functions whose arguments are optional.
const consoleObject = {
  assert(condition = false, ...data) {
    if (condition) return;
    if (data.length === 0) {
      writeLog('error', 'Assertion failed');
    } else if (typeof data[0] === 'string') {
      data[0] = `Assertion failed: ${data[0]}`;
      logData('error', data);
    } else {
      writeLog('error', `Assertion failed ${formatData(data)}`);
    }
  },
  clear() {
    groupDepth = 0;
  },
  debug(...data) {
    logData('debug', data);
  },
  error(...data) {
    logData('error', data);
  },
  info(...data) {
    logData('info', data);
  },
  log(...data) {
    logData('log', data);
  },
  table(tabularData = undefined, properties = undefined) {
    const text = part('console_table').tableText(tabularData, properties);
    if (text === undefined) logData('log', [tabularData]);
    else writeLog('log', text);
  },
  trace(...data) {
    const text = data.length === 0 ? 'Trace' : `Trace: ${formatData(data)}`;
    const frames = part('faults').currentFrames(consoleObject.trace);
    writeLog('log', frames === '' ? text : `${text}\n${frames}`);
  },
  warn(...data) {
    logData('warn', data);
  },
  dir(item = undefined, options = undefined) {
    writeLog('log', inspectData(item, depthOption(options)));
  },
  dirxml(...data) {
    logData('log', data);
  },
  count(label = 'default') {
    const name = labelText(label);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    writeLog('info', `${name}: ${count}`);
  },
  countReset(label = 'default') {
    const name = labelText(label);
    if (!counts.delete(name)) writeLog('warn', `Count for '${name}' does not exist`);
  },
  group(...data) {
    if (data.length > 0) logData('log', data);
    groupDepth++;
  },
  groupCollapsed(...data) {
    if (data.length > 0) logData('log', data);
    groupDepth++;
  },
  groupEnd() {
    if (groupDepth > 0) groupDepth--;
  },
  time(label = 'default') {
    const name = labelText(label);
    if (clocks.has(name)) writeLog('warn', `Timer '${name}' already exists`);
    else clocks.set(name, DateNow());
  },
  timeLog(label = 'default', ...data) {
    const name = labelText(label);
    if (!clocks.has(name)) writeLog('warn', `Timer '${name}' does not exist`);
    else writeLog('log', data.length === 0 ? clockText(name) : `${clockText(name)} ${formatData(data)}`);
  },
  timeEnd(label = 'default') {
    const name = labelText(label);
    if (!clocks.has(name)) {
      writeLog('warn', `Timer '${name}' does not exist`);
    } else {
      writeLog('info', clockText(name));
      clocks.delete(name);
    }
  },
};

// A namespace object of Web IDL, whose prototype is an object of its own.
ObjectSetPrototypeOf(consoleObject, {});
ObjectDefineProperty(consoleObject, SymbolToStringTag, { __proto__: null, value: 'console', configurable: true });

exports.console = consoleObject;
