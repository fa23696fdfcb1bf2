// Iterator helpers that use an iterator up: every, find, forEach, reduce, some, toArray;
// and the methods with which `using` and `await using` close iterators.
// ECMA-262, section 27.1.4, https://tc39.es/ecma262/#sec-iterator.prototype.every

{
  // consume calls visit with each value of the receiver and its position until visit
  // returns true, and returns whether it did. The iterator is closed then.
  const consume = (iterator, callback, visit) => {
    requireObject(iterator, 'The receiver');
    requireOrClose(iterator, requireCallback, callback);
    const record = getIteratorDirect(iterator);
    for (let i = 0; ; i++) {
      const value = iteratorStepValue(record);
      if (value === DONE) return false;
      if (callOrClose(record, visit, value, i)) {
        closeIterator(record.iterator);
        return true;
      }
    }
  };

  exports.iteratorConsumers = {
    every(predicate) {
      return !consume(this, predicate, (value, i) => !predicate(value, i));
    },

    find(predicate) {
      let found;
      consume(this, predicate, (value, i) => {
        const is = predicate(value, i);
        if (is) found = value;
        return is;
      });
      return found;
    },

    forEach(procedure) {
      consume(this, procedure, (value, i) => {
        procedure(value, i);
        return false;
      });
    },

    reduce(reducer, initial = undefined) {
      requireObject(this, 'The receiver');
      requireOrClose(this, requireCallback, reducer);
      const record = getIteratorDirect(this);
      let position = 0;
      let accumulator = initial;
      if (arguments.length < 2) {
        accumulator = iteratorStepValue(record);
        if (accumulator === DONE) throw new TypeError('Reduce of an empty iterator with no initial value');
        position = 1;
      }
      for (;;) {
        const value = iteratorStepValue(record);
        if (value === DONE) return accumulator;
        accumulator = callOrClose(record, (v, i) => reducer(accumulator, v, i), value, position++);
      }
    },

    some(predicate) {
      return consume(this, predicate, (value, i) => predicate(value, i));
    },

    toArray() {
      const record = getIteratorDirect(requireObject(this, 'The receiver'));
      const list = newList();
      for (let value = iteratorStepValue(record); value !== DONE; value = iteratorStepValue(record)) {
        list[list.length] = value;
      }
      return arrayFromList(list);
    },

    [SymbolDispose]() {
      const method = getMethod(this, 'return');
      if (method !== undefined) ReflectApply(method, this, []);
    },
  };

  const asyncDispose = async (iterator) => {
    const method = getMethod(iterator, 'return');
    if (method !== undefined) await ReflectApply(method, iterator, []);
  };

  exports.asyncIteratorMethods = {
    [SymbolAsyncDispose]() {
      return asyncDispose(this);
    },
  };
}
