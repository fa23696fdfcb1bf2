// Iterators over several others: Iterator.concat, one after the other, and Iterator.zip
// and Iterator.zipKeyed, side by side.
// https://tc39.es/ecma262/#sec-iterator.concat
// https://tc39.es/proposal-joint-iteration/

{
  // getMode reads the option mode; undefined stands for "shortest".
  const getMode = (options) => {
    const mode = options.mode;
    if (mode === undefined) return 'shortest';
    if (mode === 'shortest' || mode === 'longest' || mode === 'strict') return mode;
    throw new TypeError("The option mode must be 'shortest', 'longest' or 'strict'");
  };

  const getPadding = (options, mode) => {
    const padding = mode === 'longest' ? options.padding : undefined;
    if (padding !== undefined) requireObject(padding, 'The option padding');
    return padding;
  };

  // orCloseAll calls a function and closes the iterators of a list when it throws.
  const orCloseAll = (records, f, a, b) => {
    try {
      return f(a, b);
    } catch (error) {
      closeAllAfterThrow(records, records.length);
      throw error;
    }
  };

  // collect fills records with an iterator for each value of an iterable.
  const collect = (iterable, records) => {
    const input = getIterator(iterable);
    const withInput = newList();
    withInput[0] = input;
    for (;;) {
      const value = orCloseAll(records, iteratorStepValue, input);
      if (value === DONE) return;
      const record = orCloseAll(withInput, getIteratorFlattenable, value, false);
      records[records.length] = record;
      withInput[withInput.length] = record;
    }
  };

  // fillPadding reads as many values of an iterable as there are iterators.
  const fillPadding = (option, records, padding) => {
    if (option === undefined) return;
    const record = orCloseAll(records, getIterator, option);
    let more = true;
    for (let i = 0; i < records.length; i++) {
      const value = more ? orCloseAll(records, iteratorStepValue, record) : DONE;
      more = value !== DONE;
      padding[i] = more ? value : undefined;
    }
    if (more) orCloseAll(records, closeIterator, record.iterator);
  };

  // zipHelper is IteratorZip. In open, null takes the place of an iterator that has ended.
  const zipHelper = (records, mode, padding, finish) => {
    const open = newList();
    for (let i = 0; i < records.length; i++) open[i] = records[i];
    let openCount = records.length;

    // stepOne steps the iterator at position i. When it throws, all others are closed.
    const stepOne = (i, stepper) => {
      const record = open[i];
      try {
        return stepper(record);
      } catch (error) {
        open[i] = null;
        closeAllAfterThrow(open, open.length);
        throw error;
      }
    };

    // requireAllDone is the end in the mode strict: the first has ended, so must the rest.
    const requireAllDone = () => {
      for (let i = 1; i < open.length; i++) {
        if (!stepOne(i, (record) => !!iteratorStep(record).done)) return uneven();
        open[i] = null;
      }
      return DONE;
    };

    const uneven = () => {
      closeAllAfterThrow(open, open.length);
      throw new TypeError('The iterators do not have the same number of values');
    };

    const step = () => {
      if (records.length === 0) return DONE;
      const results = newList();
      for (let i = 0; i < records.length; i++) {
        const value = open[i] === null ? DONE : stepOne(i, iteratorStepValue);
        if (value !== DONE) {
          results[i] = value;
          continue;
        }
        if (open[i] !== null) {
          open[i] = null;
          openCount--;
          if (mode === 'shortest') {
            closeAll(open);
            return DONE;
          }
          if (mode === 'strict') return i === 0 ? requireAllDone() : uneven();
          if (openCount === 0) return DONE;
        }
        results[i] = padding[i];
      }
      return finish(results);
    };
    return new IteratorHelper(step, () => closeAll(open));
  };

  installMethods(Iterator, {
    concat(...items) {
      const methods = newList();
      for (let i = 0; i < items.length; i++) {
        const method = getMethod(requireObject(items[i], 'The argument'), SymbolIterator);
        if (method === undefined) throw new TypeError('The argument is not iterable');
        methods[i] = method;
      }
      let at = 0;
      let record;
      const step = () => {
        for (; at < items.length; at++) {
          if (record === undefined) record = getIteratorFromMethod(items[at], methods[at]);
          const value = iteratorStepValue(record);
          if (value !== DONE) return value;
          record = undefined;
        }
        return DONE;
      };
      return new IteratorHelper(step, () => {
        if (record !== undefined) closeIterator(record.iterator);
      });
    },

    zip(iterables, options = undefined) {
      requireObject(iterables, 'The argument');
      options = getOptionsObject(options);
      const mode = getMode(options);
      const paddingOption = getPadding(options, mode);
      const records = newList();
      collect(iterables, records);
      const padding = newList();
      fillPadding(paddingOption, records, padding);
      return zipHelper(records, mode, padding, arrayFromList);
    },

    zipKeyed(iterables, options = undefined) {
      requireObject(iterables, 'The argument');
      options = getOptionsObject(options);
      const mode = getMode(options);
      const paddingOption = getPadding(options, mode);
      const records = newList();
      const keys = newList();
      const allKeys = ReflectOwnKeys(iterables);
      const get = (object, key) => object[key];
      for (let i = 0; i < allKeys.length; i++) {
        const descriptor = orCloseAll(records, ReflectGetOwnPropertyDescriptor, iterables, allKeys[i]);
        if (descriptor === undefined || !descriptor.enumerable) continue;
        const value = orCloseAll(records, get, iterables, allKeys[i]);
        if (value === undefined) continue;
        keys[keys.length] = allKeys[i];
        records[records.length] = orCloseAll(records, getIteratorFlattenable, value, false);
      }
      const padding = newList();
      if (paddingOption !== undefined) {
        for (let i = 0; i < keys.length; i++) padding[i] = orCloseAll(records, get, paddingOption, keys[i]);
      }
      return zipHelper(records, mode, padding, (results) => {
        const object = ObjectCreate(null);
        for (let i = 0; i < keys.length; i++) object[keys[i]] = results[i];
        return object;
      });
    },
  });
}
