// Abstract operations: the steps that many algorithms of the language share, under
// their names in the specification.
// ECMA-262, section 7, https://tc39.es/ecma262/#sec-abstract-operations
//
// The files in this folder add to the engine what the language has got since. Each adds
// properties of built-in objects, so all run when the snapshot is made. Their algorithms
// get and call what the specification has them get and call on a program's objects, in
// that order, and nothing else. Loops over a length that a program chooses are loops of
// JavaScript, which the end of an execution's time can interrupt.

// named gives a constructor its name: that in the script may be another (shorten.go).
function named(constructor, name) {
  ObjectDefineProperty(constructor, 'name', { __proto__: null, value: name });
  return constructor;
}

function requireObject(value, what) {
  if (!isObject(value)) throw new TypeError(`${what} is not an object`);
  return value;
}

function requireCallable(value, what) {
  if (typeof value !== 'function') throw new TypeError(`${what} is not a function`);
  return value;
}

function requireObjectCoercible(value, what) {
  if (value === undefined || value === null) throw new TypeError(`${what} called on null or undefined`);
  return value;
}

function toObject(value, what) {
  return Object(requireObjectCoercible(value, what));
}

// toIntegerOrInfinity never gives -0.
function toIntegerOrInfinity(value) {
  const number = +value;
  return number !== number ? 0 : MathTrunc(number) + 0;
}

function toIndex(value, what) {
  const integer = toIntegerOrInfinity(value);
  if (integer < 0 || integer > NUMBER_MAX_SAFE_INTEGER) throw new RangeError(`Invalid ${what}`);
  return integer;
}

function lengthOfArrayLike(object) {
  const length = toIntegerOrInfinity(object.length);
  if (length <= 0) return 0;
  return length > NUMBER_MAX_SAFE_INTEGER ? NUMBER_MAX_SAFE_INTEGER : length;
}

// toRelativeIndex counts a negative index from the end. The result is between 0 and length.
function toRelativeIndex(value, length) {
  const integer = toIntegerOrInfinity(value);
  if (integer < 0) return integer + length > 0 ? integer + length : 0;
  return integer < length ? integer : length;
}

// canonicalKey makes -0 the key 0, as Map and Set do (CanonicalizeKeyedCollectionKey).
function canonicalKey(key) {
  return key === 0 ? 0 : key;
}

function getMethod(value, key) {
  const method = value[key];
  if (method === undefined || method === null) return undefined;
  return requireCallable(method, typeof key === 'symbol' ? SymbolPrototypeToString(key) : key);
}

function getOptionsObject(options) {
  if (options === undefined) return ObjectCreate(null);
  return requireObject(options, 'options');
}

// A proxy has a [[Construct]] of its own only when its target has one, and this trap
// keeps the target from being called.
const constructHandler = {
  __proto__: null,
  construct() {
    return constructHandler;
  },
};

function isConstructor(value) {
  if (typeof value !== 'function') return false;
  try {
    return new (new Proxy(value, constructHandler))() === constructHandler;
  } catch {
    return false;
  }
}

// prototypeFromNewTarget ends the construction of an instance by a class or function of
// the runtime. new takes Object.prototype where newTarget has no object for a prototype;
// the language takes that of the constructor.
function prototypeFromNewTarget(instance, newTarget, prototype) {
  if (ReflectGetPrototypeOf(instance) === ObjectPrototype && !isObject(newTarget.prototype)) {
    ObjectSetPrototypeOf(instance, prototype);
  }
  return instance;
}

// setIgnoringPrototype is SetterThatIgnoresPrototypeProperties: for accessors that an
// assignment to an object which inherits them goes past (accessors.js).
function setIgnoringPrototype(object, prototype, key, value, what) {
  requireObject(object, 'The receiver');
  if (object === prototype) throw new TypeError(`${what} cannot be assigned to`);
  if (ReflectGetOwnPropertyDescriptor(object, key) === undefined) createDataPropertyOrThrow(object, key, value);
  else object[key] = value;
}

function createDataPropertyOrThrow(object, key, value) {
  ObjectDefineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

// arrayFromList copies a list (newList) without holes as an ordinary array. Values are put
// into lists and not into arrays, where a setter of Array.prototype would see them.
function arrayFromList(list) {
  return ObjectValues(list);
}

// requireArrayLength is the check of ArrayCreate.
function requireArrayLength(length) {
  if (length > 0xffffffff) throw new RangeError('Invalid array length');
  return length;
}

// toPropertyKey returns a string or a symbol.
function toPropertyKey(value) {
  if (typeof value === 'string' || typeof value === 'symbol') return value;
  return ReflectOwnKeys({ __proto__: null, [value]: undefined })[0];
}
