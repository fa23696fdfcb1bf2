// Faults: the descriptions, as JSON text, of why a run has no value.
//
//   {"kind":"thrown","name","text","stack"?,"causes"?:[{"path"?,"name"?,"message","stack"?}],"value"?:codec text,"overflow",
//    "subject"?: see hints.js}
//   {"kind":"unserializable","what","path","where"}
//   {"kind":"module_not_found","specifier","importer"}
//   {"kind":"result_too_large","actual"}
//   {"kind":"arguments_too_large","of","actual"}
//   {"kind":"not_function","text"}
//
// What is thrown is hostile: reading it may throw, never end in size, or lead
// round in circles. Nothing here throws, and every text is bounded. The kinds
// other than "thrown" are decided by marks that only the runtime can set; no
// name, message or property of an error turns one into another.

// Errors that the runtime made, and the fault that each is when nobody catches it.
const faultOfError = new SafeWeakMap();

// markError makes error stand for a fault and returns it.
function markError(error, fault) {
  faultOfError.set(error, fault);
  return error;
}

function unserializableFault(what, path, where) {
  return { __proto__: null, kind: 'unserializable', what, path, where };
}

// reportFault tells the host of a fault. The record has a null prototype, so
// that JSON.stringify finds no toJSON.
function reportFault(fault) {
  host(FAULT, JSONStringify(fault));
}

// reportThrown tells the host of something thrown that nobody caught.
function reportThrown(value) {
  const marked = typeof value === 'object' && value !== null ? faultOfError.get(value) : undefined;
  reportFault(marked === undefined ? describeThrown(value) : marked);
}

const MAX_NAME = 256;
const MAX_CAUSES = 16;
const MAX_MEMBERS = 8; // of one AggregateError

function describeThrown(value) {
  const fault = {
    __proto__: null, kind: 'thrown', name: undefined, text: '', stack: undefined, causes: undefined, value: undefined,
    overflow: false, subject: hintSubject(value),
  };
  const limit = limits.errorText;
  if (isError(value)) {
    const shown = describeError(value, limit);
    fault.name = shown.name;
    fault.text = shown.message;
    fault.stack = shown.stack;
    fault.causes = describeCauses(value, limit);
  } else {
    fault.text = cut(inspectSafely(value), limit);
  }
  fault.overflow = isStackOverflow(value);
  const text = encodeSafely(value, limit);
  if (text !== undefined) fault.value = text;
  return fault;
}

// describeError returns what an error says of itself in at most limit code units
// of message and stack together.
function describeError(error, limit) {
  const name = readText(error, 'name');
  const message = readText(error, 'message');
  const stack = readText(error, 'stack') ?? '';
  const header = headerOf(name, message);
  const frames = cut(framesOf(stack, header), limit / 2);
  return {
    __proto__: null,
    name: cut(name ?? 'Error', MAX_NAME),
    message: cut(message ?? '', limit - frames.length),
    stack: frames === '' ? undefined : frames,
  };
}

// headerOf is the text that V8 puts in front of an error's frames
// (ECMA-262, Error.prototype.toString).
function headerOf(name, message) {
  if (name === undefined) return message ?? '';
  if (message === undefined || message === '') return name;
  return name === '' ? message : `${name}: ${message}`;
}

// readText reads a property that should be text. What cannot be read or is
// something else is undefined.
function readText(object, key) {
  try {
    const value = object[key];
    return typeof value === 'string' ? value : textOf(value, undefined);
  } catch {
    return undefined;
  }
}

// describeCauses lists the errors within an error: the chain of causes, outermost
// first, and before the cause of each what else it holds. A link of the chain has no
// path; the others say where they are, as in cause.errors[0].
function describeCauses(error, limit) {
  const walk = { __proto__: null, list: newList(), left: limit, met: new SafeWeakMap() };
  walk.met.set(error, true);
  addWithin(walk, error, '', true);
  return walk.list.length === 0 ? undefined : walk.list;
}

// addWithin adds what an error holds. path leads to the error; inChain says that it is
// a link of the chain of causes.
function addWithin(walk, error, path, inChain) {
  try {
    if (inherits(error, AggregateErrorPrototype) && ObjectHasOwn(error, 'errors')) {
      addMembers(walk, error.errors, `${path}errors`);
    } else if (ObjectHasOwn(error, 'error') && ObjectHasOwn(error, 'suppressed') && readText(error, 'name') === 'SuppressedError') {
      addCause(walk, error.error, `${path}error`, false);
      addCause(walk, error.suppressed, `${path}suppressed`, false);
    }
    if (ObjectHasOwn(error, 'cause')) addCause(walk, error.cause, `${path}cause`, inChain);
  } catch {
    // A getter or proxy of the guest's threw: there it ends.
  }
}

function addMembers(walk, members, path) {
  if (!ArrayIsArray(members)) return;
  const length = members.length;
  for (let i = 0; i < length && i < MAX_MEMBERS; i++) addCause(walk, members[i], `${path}[${i}]`, false);
  if (length > MAX_MEMBERS && walk.list.length < MAX_CAUSES) {
    walk.list[walk.list.length] = { __proto__: null, path, message: `${length - MAX_MEMBERS} more` };
  }
}

// addCause adds one value and what is within it, unless it was there before.
function addCause(walk, value, path, inChain) {
  if (walk.list.length >= MAX_CAUSES || walk.left <= 0) return;
  if ((typeof value === 'object' || typeof value === 'function') && value !== null) {
    if (walk.met.has(value)) return;
    walk.met.set(value, true);
  }
  const isOne = isError(value);
  const shown = isOne
    ? describeError(value, walk.left)
    : { __proto__: null, name: undefined, message: cut(inspectSafely(value), walk.left), stack: undefined };
  if (!inChain) shown.path = path;
  walk.left -= shown.message.length + (shown.stack === undefined ? 0 : shown.stack.length);
  walk.list[walk.list.length] = shown;
  if (isOne) addWithin(walk, value, `${path}.`, inChain);
}

// isStackOverflow reports whether a value looks like the RangeError with which
// V8 ends a recursion that is too deep. A program can build one that looks the
// same; then it is told that its stack ran out, which is as much its own fault,
// as final and as harmless as the error it threw.
function isStackOverflow(value) {
  try {
    if (!isError(value) || ReflectGetPrototypeOf(value) !== RangeErrorPrototype) return false;
    const keys = ReflectOwnKeys(value);
    if (keys.length !== 2 || !ObjectHasOwn(value, 'stack')) return false;
    const message = ObjectGetOwnPropertyDescriptor(value, 'message');
    return message !== undefined && ObjectHasOwn(message, 'value') && !message.enumerable &&
      message.value === 'Maximum call stack size exceeded';
  } catch {
    return false;
  }
}

function inspectSafely(value) {
  try {
    return part('inspection').inspect(value);
  } catch {
    return '<a value that cannot be shown>';
  }
}

// encodeSafely returns the codec text of a value, or undefined when it has none.
function encodeSafely(value, limit) {
  try {
    const text = encode(value, limit);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
