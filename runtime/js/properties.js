// Properties and receivers: what eager files and many parts use.
// https://webidl.spec.whatwg.org/#js-interfaces

// hidden defines a property as built-in objects have them: writable, configurable,
// not enumerable.
function hidden(object, name, value) {
  ObjectDefineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

// visible defines an operation of an interface or of the global object: writable,
// configurable, enumerable.
function visible(object, name, value) {
  ObjectDefineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

// copyProperty defines on one object a property as another has it. A descriptor has
// Object.prototype behind it, where a program may have put what makes it another one.
function copyProperty(target, source, key) {
  ObjectDefineProperty(target, key, ObjectSetPrototypeOf(ObjectGetOwnPropertyDescriptor(source, key), null));
}

// classString defines what Object.prototype.toString says of instances.
function classString(prototype, name) {
  ObjectDefineProperty(prototype, SymbolToStringTag, {
    __proto__: null, value: name, writable: false, enumerable: false, configurable: true,
  });
}

// installMethods gives target the methods and accessors of an object literal. As in
// every built-in they are not enumerable, and being methods they are no constructors.
function installMethods(target, methods) {
  const keys = ReflectOwnKeys(methods);
  for (let i = 0; i < keys.length; i++) {
    const descriptor = ObjectSetPrototypeOf(ObjectGetOwnPropertyDescriptor(methods, keys[i]), null);
    descriptor.enumerable = false;
    ObjectDefineProperty(target, keys[i], descriptor);
  }
}

// requireArguments throws unless at least required arguments were given.
function requireArguments(given, required, what) {
  if (given >= required) return;
  throw new TypeError(`${what}: ${required} argument${required === 1 ? '' : 's'} required, but only ${given} present`);
}

function illegalInvocation(what) {
  return new TypeError(`${what}: Illegal invocation`);
}

// isObject reports whether a value is an object in the sense of ECMA-262.
function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// dataOf returns the value of an own data property, undefined when there is none.
function dataOf(object, key) {
  const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
  return descriptor !== undefined && ObjectHasOwn(descriptor, 'value') ? descriptor.value : undefined;
}

// How much of a prototype chain is looked at. A proxy can make one without end.
const MAX_CHAIN = 64;
