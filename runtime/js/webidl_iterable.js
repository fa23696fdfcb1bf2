// Web IDL: interfaces that are iterable as pairs of a key and a value.
// https://webidl.spec.whatwg.org/#js-iterable

// definePairIterable gives a class entries, keys, values, forEach and Symbol.iterator.
// pairsOf(value, what) returns the pairs of an instance as they are now, a list of
// {0: key, 1: value}, and throws a TypeError that names what, for other values.
function definePairIterable(constructor, name, pairsOf) {
  const { prototype } = constructor;
  const { add, of: iteratorSlots } = newSlots(`${name} Iterator`);
  // https://webidl.spec.whatwg.org/#es-iterator-prototype-object
  const iteratorPrototype = {
    __proto__: IteratorPrototype,
    next() {
      const slots = iteratorSlots(this);
      const pairs = pairsOf(slots.target);
      const { index } = slots;
      if (index >= pairs.length) return { value: undefined, done: true };
      slots.index = index + 1;
      const pair = pairs[index];
      if (slots.kind === 'keys') return { value: pair[0], done: false };
      if (slots.kind === 'values') return { value: pair[1], done: false };
      return { value: [pair[0], pair[1]], done: false };
    },
  };
  classString(iteratorPrototype, `${name} Iterator`);
  const newIterator = (target, kind) => {
    pairsOf(target, `${name}.${kind}`);
    return add({ __proto__: iteratorPrototype }, { __proto__: null, target, kind, index: 0 });
  };
  const members = {
    entries() {
      return newIterator(this, 'entries');
    },
    forEach(callback, thisArg = undefined) {
      let pairs = pairsOf(this, `${name}.forEach`);
      requireArguments(arguments.length, 1, `${name}.forEach`);
      if (typeof callback !== 'function') throw new TypeError(`${name}.forEach: the argument must be a function`);
      for (let i = 0; i < pairs.length; i++) {
        ReflectApply(callback, thisArg, [pairs[i][1], pairs[i][0], this]);
        pairs = pairsOf(this);
      }
    },
    keys() {
      return newIterator(this, 'keys');
    },
    values() {
      return newIterator(this, 'values');
    },
  };
  const names = ObjectKeys(members);
  for (let i = 0; i < names.length; i++) visible(prototype, names[i], members[names[i]]);
  hidden(prototype, SymbolIterator, members.entries);
}
