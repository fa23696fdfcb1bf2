// Set methods: union, intersection, difference, symmetricDifference, isSubsetOf,
// isSupersetOf, isDisjointFrom.
// ECMA-262, section 24.2, https://tc39.es/ecma262/#sec-getsetrecord
//
// What a callback adds to the receiver while it is walked through is visited, what it
// removes is not: an iterator of a Set behaves like the specification's walk through
// [[SetData]].

{
  // getSetRecord reads what makes an object a set for the other side: size, has, keys.
  const getSetRecord = (object) => {
    requireObject(object, 'The other set');
    const size = +object.size;
    if (size !== size) throw new TypeError('The size of the other set is not a number');
    const integer = toIntegerOrInfinity(size);
    if (integer < 0) throw new RangeError('The size of the other set is negative');
    const has = requireCallable(object.has, 'The method has of the other set');
    const keys = requireCallable(object.keys, 'The method keys of the other set');
    return { object, size: integer, has, keys };
  };

  // The getter of size throws unless its receiver is a Set.
  const requireSet = (value, method) => {
    try {
      SetPrototypeGetSize(value);
    } catch {
      throw illegalInvocation(`Set.prototype.${method}`);
    }
  };

  const recordHas = (other, value) => !!ReflectApply(other.has, other.object, [value]);
  const recordKeys = (other) => getIteratorFromMethod(other.object, other.keys);

  const copyOf = (set) => {
    const copy = new Set();
    const values = SetPrototypeValues(set);
    for (let step = SetIteratorPrototypeNext(values); !step.done; step = SetIteratorPrototypeNext(values)) {
      SetPrototypeAdd(copy, step.value);
    }
    return copy;
  };

  // everyValue reports whether test is true of each value of a set.
  const everyValue = (set, test) => {
    const values = SetPrototypeValues(set);
    for (let step = SetIteratorPrototypeNext(values); !step.done; step = SetIteratorPrototypeNext(values)) {
      if (!test(step.value)) return false;
    }
    return true;
  };

  // everyKey reports whether test is true of each key of the other set, and closes its
  // iterator at the first for which it is not.
  const everyKey = (other, test) => {
    const record = recordKeys(other);
    for (let key = iteratorStepValue(record); key !== DONE; key = iteratorStepValue(record)) {
      if (!test(canonicalKey(key))) {
        closeIterator(record.iterator);
        return false;
      }
    }
    return true;
  };

  exports.setMethods = {
    difference(other) {
      requireSet(this, 'difference');
      const record = getSetRecord(other);
      const result = copyOf(this);
      if (SetPrototypeGetSize(this) <= record.size) {
        everyValue(result, (value) => {
          if (recordHas(record, value)) SetPrototypeDelete(result, value);
          return true;
        });
      } else {
        everyKey(record, (key) => {
          SetPrototypeDelete(result, key);
          return true;
        });
      }
      return result;
    },

    intersection(other) {
      requireSet(this, 'intersection');
      const record = getSetRecord(other);
      const result = new Set();
      if (SetPrototypeGetSize(this) <= record.size) {
        everyValue(this, (value) => {
          if (recordHas(record, value)) SetPrototypeAdd(result, value);
          return true;
        });
      } else {
        everyKey(record, (key) => {
          if (SetPrototypeHas(this, key)) SetPrototypeAdd(result, key);
          return true;
        });
      }
      return result;
    },

    isDisjointFrom(other) {
      requireSet(this, 'isDisjointFrom');
      const record = getSetRecord(other);
      if (SetPrototypeGetSize(this) <= record.size) return everyValue(this, (value) => !recordHas(record, value));
      return everyKey(record, (key) => !SetPrototypeHas(this, key));
    },

    isSubsetOf(other) {
      requireSet(this, 'isSubsetOf');
      const record = getSetRecord(other);
      return SetPrototypeGetSize(this) <= record.size && everyValue(this, (value) => recordHas(record, value));
    },

    isSupersetOf(other) {
      requireSet(this, 'isSupersetOf');
      const record = getSetRecord(other);
      return SetPrototypeGetSize(this) >= record.size && everyKey(record, (key) => SetPrototypeHas(this, key));
    },

    symmetricDifference(other) {
      requireSet(this, 'symmetricDifference');
      const keys = recordKeys(getSetRecord(other));
      const result = copyOf(this);
      for (let key = iteratorStepValue(keys); key !== DONE; key = iteratorStepValue(keys)) {
        key = canonicalKey(key);
        if (SetPrototypeHas(this, key)) SetPrototypeDelete(result, key);
        else SetPrototypeAdd(result, key);
      }
      return result;
    },

    union(other) {
      requireSet(this, 'union');
      const keys = recordKeys(getSetRecord(other));
      const result = copyOf(this);
      for (let key = iteratorStepValue(keys); key !== DONE; key = iteratorStepValue(keys)) SetPrototypeAdd(result, key);
      return result;
    },
  };
}
