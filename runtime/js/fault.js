// Faults: the descriptions, as JSON text, of why a run has no value.
//
//   {"kind":"thrown","name","text","stack"?,"causes"?:[{"name"?,"message","stack"?}],"value"?:codec text,"overflow"}
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

function describeThrown(value) {
  const fault = { __proto__: null, kind: 'thrown', name: undefined, text: '', stack: undefined, causes: undefined, value: undefined };
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

// describeCauses follows the cause chain of an error, outermost first.
function describeCauses(error, limit) {
  const causes = newList();
  const met = new SafeWeakMap();
  met.set(error, true);
  let left = limit;
  try {
    for (let link = error; causes.length < MAX_CAUSES && left > 0 && isError(link) && ObjectHasOwn(link, 'cause');) {
      link = link.cause;
      if ((typeof link === 'object' || typeof link === 'function') && link !== null) {
        if (met.has(link)) break;
        met.set(link, true);
      }
      const shown = isError(link)
        ? describeError(link, left)
        : { __proto__: null, name: undefined, message: cut(inspectSafely(link), left), stack: undefined };
      left -= shown.message.length + (shown.stack === undefined ? 0 : shown.stack.length);
      causes[causes.length] = shown;
    }
  } catch {
    // A getter or proxy of the guest's threw: the chain ends there.
  }
  return causes.length === 0 ? undefined : causes;
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
    return inspect(value);
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
