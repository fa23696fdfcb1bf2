// Iterator helpers that make iterators: drop, filter, flatMap, map, take.
// ECMA-262, section 27.1.2.1, https://tc39.es/ecma262/#sec-%iteratorhelperprototype%-object

// IteratorHelper is what they return. step returns the next value or DONE, and has closed
// what must be closed when it throws or returns DONE; close is what return does. Both
// start at most one at a time, as in a generator.
class IteratorHelper {
  #step;
  #close;
  #running = false;
  #started = false;

  static {
    const { prototype } = this;
    ReflectDeleteProperty(prototype, 'constructor');
    ObjectSetPrototypeOf(prototype, IteratorPrototype);
    classString(prototype, 'Iterator Helper');
  }

  constructor(step, close) {
    this.#step = step;
    this.#close = close;
  }

  next() {
    if (!isObject(this) || !(#step in this)) throw illegalInvocation('Iterator Helper.next');
    const step = this.#step;
    if (this.#running) throw new TypeError('The iterator is running already');
    if (step === undefined) return { value: undefined, done: true };
    this.#running = true;
    this.#started = true;
    let value = DONE;
    try {
      value = step();
    } finally {
      this.#running = false;
      if (value === DONE) this.#step = undefined;
    }
    return value === DONE ? { value: undefined, done: true } : { value, done: false };
  }

  return() {
    if (!isObject(this) || !(#step in this)) throw illegalInvocation('Iterator Helper.return');
    const open = this.#step !== undefined;
    if (this.#running) throw new TypeError('The iterator is running already');
    this.#step = undefined;
    if (open) {
      // Before the first step there is nothing that could be running.
      this.#running = this.#started;
      try {
        (0, this.#close)();
      } finally {
        this.#running = false;
      }
    }
    return { value: undefined, done: true };
  }
}

// requireOrClose runs the checks of a helper's argument. When they fail the receiver is
// closed, as the program has no other way to do so.
function requireOrClose(iterator, check, argument) {
  try {
    return check(argument);
  } catch (error) {
    closeAfterThrow(iterator);
    throw error;
  }
}

const requireCallback = (value) => requireCallable(value, 'The callback');

function requireLimit(value) {
  const number = +value;
  if (number !== number) throw new RangeError('The limit is not a number');
  return requireCount(toIntegerOrInfinity(number), 'The limit');
}

// requireCount throws for an integer that is negative, or too large and not Infinity.
function requireCount(value, what) {
  if (value < 0 || (value > NUMBER_MAX_SAFE_INTEGER && value !== Infinity)) throw new RangeError(`${what} is out of range`);
  return value;
}

// helperOf makes a helper over one iterator, which return closes.
function helperOf(record, step) {
  return new IteratorHelper(step, () => closeIterator(record.iterator));
}

// callOrClose calls a callback with a value of an iterator and its position.
function callOrClose(record, callback, value, position) {
  try {
    return callback(value, position);
  } catch (error) {
    closeAfterThrow(record.iterator);
    throw error;
  }
}

exports.iteratorHelpers = {
  drop(limit) {
    requireObject(this, 'The receiver');
    let remaining = requireOrClose(this, requireLimit, limit);
    const record = getIteratorDirect(this);
    return helperOf(record, () => {
      for (; remaining > 0; remaining--) if (iteratorStep(record).done) return DONE;
      return iteratorStepValue(record);
    });
  },

  filter(predicate) {
    requireObject(this, 'The receiver');
    requireOrClose(this, requireCallback, predicate);
    const record = getIteratorDirect(this);
    let position = 0;
    return helperOf(record, () => {
      for (;;) {
        const value = iteratorStepValue(record);
        if (value === DONE || callOrClose(record, predicate, value, position++)) return value;
      }
    });
  },

  flatMap(mapper) {
    requireObject(this, 'The receiver');
    requireOrClose(this, requireCallback, mapper);
    const record = getIteratorDirect(this);
    let position = 0;
    let inner;
    const step = () => {
      for (;;) {
        if (inner === undefined) {
          const value = iteratorStepValue(record);
          if (value === DONE) return DONE;
          inner = callOrClose(record, (v, i) => getIteratorFlattenable(mapper(v, i), false), value, position++);
        }
        const value = callOrClose(record, iteratorStepValue, inner);
        if (value !== DONE) return value;
        inner = undefined;
      }
    };
    return new IteratorHelper(step, () => {
      if (inner !== undefined) callOrClose(record, closeIterator, inner.iterator);
      closeIterator(record.iterator);
    });
  },

  map(mapper) {
    requireObject(this, 'The receiver');
    requireOrClose(this, requireCallback, mapper);
    const record = getIteratorDirect(this);
    let position = 0;
    return helperOf(record, () => {
      const value = iteratorStepValue(record);
      return value === DONE ? DONE : callOrClose(record, mapper, value, position++);
    });
  },

  take(limit) {
    requireObject(this, 'The receiver');
    let remaining = requireOrClose(this, requireLimit, limit);
    const record = getIteratorDirect(this);
    return helperOf(record, () => {
      if (remaining === 0) {
        closeIterator(record.iterator);
        return DONE;
      }
      remaining--;
      return iteratorStepValue(record);
    });
  },
};
