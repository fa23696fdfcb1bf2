// Web IDL: the shape of interfaces. https://webidl.spec.whatwg.org/#js-interfaces
//
// A class in JavaScript has methods that are not enumerable; an interface's are.

// The prototypes of all interfaces, with their names.
const interfacePrototypes = new SafeMap();

// defineInterface gives a class the shape of an interface: its operations and attributes
// (also the static ones) are enumerable, and it has a class string. Members whose names
// are symbols, and the constructor, stay as they are. The constructor is named here,
// because the bundle's variables are renamed.
function defineInterface(constructor, name) {
  const { prototype } = constructor;
  ObjectDefineProperty(constructor, 'name', { __proto__: null, value: name, writable: false, enumerable: false, configurable: true });
  makeEnumerable(prototype, 'constructor', '');
  // Static members; name, length and prototype of the constructor are no members.
  const keys = ReflectOwnKeys(constructor);
  for (let i = 0; i < keys.length; i++) {
    if (typeof keys[i] === 'string' && keys[i] !== 'name' && keys[i] !== 'length' && keys[i] !== 'prototype') {
      enumerate(constructor, keys[i]);
    }
  }
  classString(prototype, name);
  interfacePrototypes.set(prototype, name);
  return constructor;
}

function makeEnumerable(object, except) {
  const keys = ReflectOwnKeys(object);
  for (let i = 0; i < keys.length; i++) {
    if (typeof keys[i] === 'string' && keys[i] !== except) enumerate(object, keys[i]);
  }
}

function enumerate(object, key) {
  ObjectDefineProperty(object, key, { __proto__: null, enumerable: true });
}

// defineConstants defines constants of an interface, on both of its objects.
function defineConstants(constructor, constants) {
  const names = ObjectKeys(constants);
  for (let i = 0; i < names.length; i++) {
    const descriptor = {
      __proto__: null, value: constants[names[i]], writable: false, enumerable: true, configurable: false,
    };
    ObjectDefineProperty(constructor, names[i], descriptor);
    ObjectDefineProperty(constructor.prototype, names[i], descriptor);
  }
}

// INTERNAL stands for the one value with which the runtime itself may call a constructor that
// programs may not call.
const INTERNAL = ObjectFreeze({ __proto__: null });

// requireInternal throws unless a constructor was called by the runtime.
function requireInternal(key) {
  if (key !== INTERNAL) throw new TypeError('Illegal constructor');
}

// newDOMException makes an exception of the runtime's own. https://webidl.spec.whatwg.org/#dfn-throw
function newDOMException(message, name) {
  const { DOMException, QuotaExceededError } = part('dom_exception');
  return name === 'QuotaExceededError' ? new QuotaExceededError(message) : new DOMException(message, name);
}
