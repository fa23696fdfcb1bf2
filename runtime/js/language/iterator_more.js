// Iterator helpers of proposals that are nearly part of the language: chunks and windows,
// includes, join.
// https://tc39.es/proposal-iterator-chunking/
// https://tc39.es/proposal-iterator-includes/
// https://tc39.es/proposal-iterator-join/

{
  const requireIntegral = (value, what) => {
    if (typeof value !== 'number' || !NumberIsInteger(value)) throw new TypeError(`${what} is not an integral number`);
    return value;
  };

  const requireSize = (value) => {
    requireIntegral(value, 'The size');
    if (value < 1 || value > 0xffffffff) throw new RangeError('The size is out of range');
    return value;
  };

  const requireUndersized = (value) => {
    if (value === undefined || value === 'only-full') return false;
    if (value === 'allow-partial') return true;
    throw new TypeError("undersized must be 'only-full' or 'allow-partial'");
  };

  const requireSkipped = (value) => {
    if (value === undefined) return 0;
    if (value !== Infinity && value !== -Infinity) requireIntegral(value, 'The number of skipped elements');
    return requireCount(value, 'The number of skipped elements');
  };

  const toText = (value) => `${value}`;

  exports.moreIteratorHelpers = {
    chunks(chunkSize) {
      requireObject(this, 'The receiver');
      const size = requireOrClose(this, requireSize, chunkSize);
      const record = getIteratorDirect(this);
      let ended = false;
      return helperOf(record, () => {
        if (ended) return DONE;
        const buffer = newList();
        while (buffer.length < size) {
          const value = iteratorStepValue(record);
          if (value === DONE) {
            ended = true;
            return buffer.length === 0 ? DONE : arrayFromList(buffer);
          }
          buffer[buffer.length] = value;
        }
        return arrayFromList(buffer);
      });
    },

    includes(searchElement, skippedElements = undefined) {
      requireObject(this, 'The receiver');
      const toSkip = requireOrClose(this, requireSkipped, skippedElements);
      const record = getIteratorDirect(this);
      for (let skipped = 0; ; ) {
        const value = iteratorStepValue(record);
        if (value === DONE) return false;
        if (skipped < toSkip) {
          skipped++;
        } else if (value === searchElement || (value !== value && searchElement !== searchElement)) {
          closeIterator(record.iterator);
          return true;
        }
      }
    },

    join(separator) {
      requireObject(this, 'The receiver');
      const between = separator === undefined ? ',' : requireOrClose(this, toText, separator);
      const record = getIteratorDirect(this);
      let text = '';
      for (let first = true; ; first = false) {
        const value = iteratorStepValue(record);
        if (value === DONE) return text;
        if (!first) text += between;
        if (value !== undefined && value !== null) text += callOrClose(record, toText, value);
      }
    },

    windows(windowSize, undersized = undefined) {
      requireObject(this, 'The receiver');
      const size = requireOrClose(this, requireSize, windowSize);
      const partial = requireOrClose(this, requireUndersized, undersized);
      const record = getIteratorDirect(this);
      const buffer = newList();
      let ended = false;
      return helperOf(record, () => {
        while (!ended) {
          const value = iteratorStepValue(record);
          if (value === DONE) {
            ended = true;
            return partial && buffer.length > 0 && buffer.length < size ? arrayFromList(buffer) : DONE;
          }
          if (buffer.length < size) {
            buffer[buffer.length] = value;
          } else {
            for (let i = 1; i < size; i++) buffer[i - 1] = buffer[i];
            buffer[size - 1] = value;
          }
          if (buffer.length === size) return arrayFromList(buffer);
        }
        return DONE;
      });
    },
  };
}
