// Hints: what the host is told of an error that nobody caught, so that it can say
// more than V8 does: of a name that is not defined what the program may have meant
// or can use instead. The sentences are the host's (Go file sandbox/hints.go).

const MAX_HINT_MESSAGE = 500;
const MAX_HINT_NAMES = 1000;
const MAX_HINT_NAME = 64;

// hintSubject returns {name, message, globals?, members?} for an error that looks
// like one of V8's own, undefined for anything else. A program can make one that
// looks the same and is told the same. It never throws.
function hintSubject(value) {
  try {
    if ((native(KIND_OF, value) & KIND_NATIVE_ERROR) === 0) return undefined;
    const name = hintNameOf(ReflectGetPrototypeOf(value));
    const descriptor = ObjectGetOwnPropertyDescriptor(value, 'message');
    if (name === undefined || descriptor === undefined || descriptor.enumerable) return undefined;
    const message = dataOf(value, 'message');
    if (typeof message !== 'string' || message.length > MAX_HINT_MESSAGE) return undefined;
    const subject = { __proto__: null, name, message, globals: undefined, members: undefined };
    if (name === 'ReferenceError') {
      subject.globals = namesOf(globalObject);
    } else if (name === 'TypeError') {
      subject.members = membersOfOwner(message);
    }
    return subject;
  } catch {
    // A proxy's trap threw, or the stack ran out.
    return undefined;
  }
}

function hintNameOf(prototype) {
  switch (prototype) {
    case ReferenceErrorPrototype: return 'ReferenceError';
    case TypeErrorPrototype: return 'TypeError';
    case EvalErrorPrototype: return 'EvalError';
    case SyntaxErrorPrototype: return 'SyntaxError';
    default: return undefined;
  }
}

// membersOfOwner returns the names of the members of the global that a message such
// as "Object.groupby is not a function" begins with.
function membersOfOwner(message) {
  const dot = StringPrototypeIndexOf(message, '.');
  if (dot <= 0 || dot > MAX_HINT_NAME) return undefined;
  const owner = dataOf(globalObject, StringPrototypeSlice(message, 0, dot));
  if ((typeof owner !== 'object' || owner === null) && typeof owner !== 'function') return undefined;
  return namesOf(owner);
}

// namesOf returns a bounded list of the names of an object's own properties.
function namesOf(object) {
  const keys = ReflectOwnKeys(object);
  const names = newList();
  for (let i = 0; i < keys.length && names.length < MAX_HINT_NAMES; i++) {
    if (typeof keys[i] === 'string' && keys[i].length <= MAX_HINT_NAME) names[names.length] = keys[i];
  }
  return names;
}
