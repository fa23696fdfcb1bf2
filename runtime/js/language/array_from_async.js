// Array.fromAsync: an array of what an iterable, of either kind, or an array-like gives,
// each value waited for.
// ECMA-262, section 23.1.2.2, https://tc39.es/ecma262/#sec-array.fromasync

{
  // closeAsync closes an iterator after an exception, which stays the one that counts.
  // That of the ordinary kind is closed through what CreateAsyncFromSyncIterator makes.
  const closeAsync = async (iterator, sync) => {
    try {
      const method = getMethod(iterator, 'return');
      if (method === undefined) return;
      const result = ReflectApply(method, iterator, []);
      if (sync) {
        void requireObject(result, 'The result of return').done;
        await result.value;
      } else {
        await result;
      }
    } catch {
      // The first exception counts.
    }
  };

  const fromAsync = async (constructor, items, mapper, thisArgument) => {
    if (mapper !== undefined) requireCallable(mapper, 'The mapper');
    const asyncMethod = getMethod(items, SymbolAsyncIterator);
    const sync = asyncMethod === undefined;
    const method = sync ? getMethod(items, SymbolIterator) : asyncMethod;
    let record;
    let object;
    let length = NUMBER_MAX_SAFE_INTEGER;
    let result;
    if (method === undefined) {
      object = Object(items);
      length = lengthOfArrayLike(object);
      result = isConstructor(constructor) ? new constructor(length) : new Array(requireArrayLength(length));
    } else {
      record = getIteratorFromMethod(items, method);
      result = isConstructor(constructor) ? new constructor() : [];
    }
    let i = 0;
    for (; i < length; i++) {
      let value;
      if (record === undefined) {
        value = await object[i];
        if (mapper !== undefined) value = await ReflectApply(mapper, thisArgument, [value, i]);
        createDataPropertyOrThrow(result, i, value);
        continue;
      }
      let step = ReflectApply(record.next, record.iterator, []);
      if (!sync) step = await step;
      const done = requireObject(step, 'The result of the iterator').done;
      if (sync) {
        value = step.value;
        try {
          value = await value;
        } catch (error) {
          if (!done) closeAfterThrow(record.iterator);
          throw error;
        }
        // The promise of the iterator that CreateAsyncFromSyncIterator makes.
        await undefined;
      }
      if (done) break;
      if (!sync) value = step.value;
      try {
        if (mapper !== undefined) value = await ReflectApply(mapper, thisArgument, [value, i]);
        createDataPropertyOrThrow(result, i, value);
      } catch (error) {
        await closeAsync(record.iterator, sync);
        throw error;
      }
    }
    if (!ReflectSet(result, 'length', i, result)) throw new TypeError('The length of the result cannot be set');
    return result;
  };

  exports.arrayFunctions = {
    fromAsync(items, mapper = undefined, thisArgument = undefined) {
      return fromAsync(this, items, mapper, thisArgument);
    },
  };
}
