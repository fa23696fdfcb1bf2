// Iterator: the constructor, Iterator.from, and what the accessors of its prototype need.
// ECMA-262, section 27.1.3, https://tc39.es/ecma262/#sec-iterator-constructor

// A function and no class, because prototype has to be the object that all iterators of
// the engine inherit from.
function Iterator() {
  if (new.target === undefined) throw new TypeError("Constructor Iterator requires 'new'");
  if (new.target === Iterator) throw new TypeError('Iterator is an abstract class: derive one from it');
  return prototypeFromNewTarget(this, new.target, IteratorPrototype);
}

ObjectDefineProperty(Iterator, 'prototype', { __proto__: null, value: IteratorPrototype, writable: false });
exports.Iterator = named(Iterator, 'Iterator');

{
  // WrapForValidIterator instances are what Iterator.from returns for an iterator that
  // does not inherit from Iterator.prototype.
  class WrapForValidIterator {
    #iterated;

    static {
      ReflectDeleteProperty(this.prototype, 'constructor');
      ObjectSetPrototypeOf(this.prototype, IteratorPrototype);
    }

    constructor(record) {
      this.#iterated = record;
    }

    next() {
      if (!isObject(this) || !(#iterated in this)) throw illegalInvocation('Iterator.next');
      const record = this.#iterated;
      return ReflectApply(record.next, record.iterator, []);
    }

    return() {
      if (!isObject(this) || !(#iterated in this)) throw illegalInvocation('Iterator.return');
      const { iterator } = this.#iterated;
      const method = getMethod(iterator, 'return');
      if (method === undefined) return { value: undefined, done: true };
      return ReflectApply(method, iterator, []);
    }
  }

  installMethods(Iterator, {
    from(value) {
      const record = getIteratorFlattenable(value, true);
      if (FunctionPrototypeHasInstance(Iterator, record.iterator)) return record.iterator;
      return new WrapForValidIterator(record);
    },
  });
}
