// Iterator records: how algorithms of the language use the iterators of a program.
// ECMA-262, section 7.4, https://tc39.es/ecma262/#sec-operations-on-iterator-objects
//
// A record is {iterator, next}, both own, so that nothing is looked up elsewhere.

// What iteratorStepValue returns when there is no value any more.
const DONE = ObjectFreeze({ __proto__: null });

function getIteratorDirect(iterator) {
  return { iterator, next: iterator.next };
}

function getIteratorFromMethod(value, method) {
  return getIteratorDirect(requireObject(ReflectApply(method, value, []), 'The iterator'));
}

function getIterator(value) {
  const method = getMethod(value, SymbolIterator);
  if (method === undefined) throw new TypeError('The value is not iterable');
  return getIteratorFromMethod(value, method);
}

// getIteratorFlattenable also takes an object that is an iterator itself, and a string
// only when strings says so.
function getIteratorFlattenable(value, strings) {
  if (!isObject(value) && !(strings && typeof value === 'string')) throw new TypeError('The value is not an object');
  const method = getMethod(value, SymbolIterator);
  if (method === undefined) return getIteratorDirect(requireObject(value, 'The iterator'));
  return getIteratorFromMethod(value, method);
}

// iteratorStep returns the result object of the next step.
function iteratorStep(record) {
  return requireObject(FunctionPrototypeCall(record.next, record.iterator), 'The result of the iterator');
}

function iteratorStepValue(record) {
  const result = FunctionPrototypeCall(record.next, record.iterator);
  if (!isObject(result)) requireObject(result, 'The result of the iterator');
  return result.done ? DONE : result.value;
}

// closeIterator is IteratorClose with a completion that is no exception.
function closeIterator(iterator) {
  const method = getMethod(iterator, 'return');
  if (method !== undefined) requireObject(ReflectApply(method, iterator, []), 'The result of return');
}

// closeAfterThrow is IteratorClose with a throw completion: that is the exception which
// the caller throws then, whatever happens here.
function closeAfterThrow(iterator) {
  try {
    const method = iterator.return;
    if (method !== undefined && method !== null) ReflectApply(method, iterator, []);
  } catch {
    // The first exception counts.
  }
}

// closeAll closes the iterators of a list of records, the last first, where null stands
// for one that is closed (IteratorCloseAll with a completion that is no exception).
function closeAll(records) {
  for (let i = records.length - 1; i >= 0; i--) {
    if (records[i] === null) continue;
    try {
      closeIterator(records[i].iterator);
    } catch (error) {
      closeAllAfterThrow(records, i);
      throw error;
    }
  }
}

// closeAllAfterThrow closes the first count iterators of a list.
function closeAllAfterThrow(records, count) {
  for (let i = count - 1; i >= 0; i--) {
    if (records[i] !== null) closeAfterThrow(records[i].iterator);
  }
}

// eachValue calls visit with each value of an iterable and its position, and closes the
// iterator when visit throws.
function eachValue(iterable, visit) {
  const record = getIterator(iterable);
  for (let i = 0; ; i++) {
    const value = iteratorStepValue(record);
    if (value === DONE) return;
    try {
      if (i === NUMBER_MAX_SAFE_INTEGER) throw new TypeError('Too many values');
      visit(value, i);
    } catch (error) {
      closeAfterThrow(record.iterator);
      throw error;
    }
  }
}
