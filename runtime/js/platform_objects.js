// Platform objects: internal slots of the runtime's interfaces, and what other files
// need to know of their instances. https://webidl.spec.whatwg.org/#js-platform-objects
//
// An interface that others inherit from keeps its slots in a private field that is put
// on an object which exists already. So no constructor here calls super: a guest that
// replaces the prototype of a constructor changes nothing in how the runtime makes objects.

// Returned is the base of classes whose instances exist already: super(object) is object.
function Returned(object) {
  return object;
}

// newSlots makes a kind of internal slots, for the interface of that name:
//   add(object, slots)   gives an object its slots
//   has(value)           whether a value has such slots
//   of(value, what)      the slots of a value; throws a TypeError that names what, when it has none
function newSlots(name) {
  let has;
  let read;
  class Slots extends Returned {
    #slots;

    constructor(object, slots) {
      super(object);
      this.#slots = slots;
    }

    static {
      has = (value) => #slots in value;
      read = (value) => value.#slots;
    }
  }
  return {
    __proto__: null,
    add(object, slots) {
      new Slots(object, slots);
      return object;
    },
    has(value) {
      return isObject(value) && has(value);
    },
    of(value, what) {
      if (!isObject(value) || !has(value)) throw illegalInvocation(what ?? name);
      return read(value);
    },
  };
}

// inheritInterface makes one interface inherit from another.
function inheritInterface(constructor, parent) {
  ObjectSetPrototypeOf(constructor, parent);
  ObjectSetPrototypeOf(constructor.prototype, parent.prototype);
}

// What is known of the instances of an interface, by its brand (brands.js), which is its name:
//   has(value)             whether a value is one
//   describe(value)        a list of {0: name, 1: value} for inspection
//   unforgeable            the name of the attribute that each instance has as its own
//   isError                that instances are errors, and have that brand
//   serialize(value)       data for structuredClone, a record of the runtime's own, when it is
//   deserialize(data)      serializable
//   transfer(value)        data, and makes the value detached, when it is transferable
//   receive(data)
//   isDetached(value)
const platformKinds = new SafeMap();

// The serializable and the transferable kinds, derived ones behind those they are derived from.
const clonableKinds = newList();

function definePlatformKind(constructor, name, kind) {
  platformKinds.set(name, kind);
  if (!kind.isError) brandOfPrototype.set(constructor.prototype, name);
  if (kind.serialize !== undefined || kind.transfer !== undefined) clonableKinds[clonableKinds.length] = kind;
}

function isOfKind({ has }, value) {
  return has(value);
}

// clonableKindOf returns the kind of an object that can be serialized or transferred,
// whatever its prototype is now; undefined for others.
function clonableKindOf(value) {
  for (let i = clonableKinds.length - 1; i >= 0; i--) {
    if (isOfKind(clonableKinds[i], value)) return clonableKinds[i];
  }
  return undefined;
}
