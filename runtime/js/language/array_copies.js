// Changing arrays by copy: toReversed, toSorted, toSpliced and with.
// ECMA-262, section 23.1.3, https://tc39.es/ecma262/#sec-array.prototype.toreversed

exports.arrayCopies = {
  toReversed() {
    const object = toObject(this, 'Array.prototype.toReversed');
    const length = requireArrayLength(lengthOfArrayLike(object));
    const list = newList();
    for (let i = 0; i < length; i++) list[i] = object[length - i - 1];
    return arrayFromList(list);
  },

  toSorted(comparator) {
    if (comparator !== undefined) requireCallable(comparator, 'The comparison function');
    const object = toObject(this, 'Array.prototype.toSorted');
    const length = requireArrayLength(lengthOfArrayLike(object));
    const list = newList();
    for (let i = 0; i < length; i++) list[i] = object[i];
    // The copy has no holes and is out of reach while it is sorted.
    return ArrayPrototypeSort(arrayFromList(list), comparator);
  },

  toSpliced(start, skipCount, ...items) {
    const object = toObject(this, 'Array.prototype.toSpliced');
    const length = lengthOfArrayLike(object);
    const from = toRelativeIndex(start, length);
    let skip = 0;
    if (arguments.length === 1) {
      skip = length - from;
    } else if (arguments.length > 1) {
      skip = toIntegerOrInfinity(skipCount);
      skip = skip < 0 ? 0 : skip > length - from ? length - from : skip;
    }
    const newLength = length + items.length - skip;
    if (newLength > NUMBER_MAX_SAFE_INTEGER) throw new TypeError('The array would be too long');
    requireArrayLength(newLength);
    const list = newList();
    for (let i = 0; i < from; i++) list[i] = object[i];
    for (let i = 0; i < items.length; i++) list[from + i] = items[i];
    for (let i = from + items.length; i < newLength; i++) list[i] = object[i - items.length + skip];
    return arrayFromList(list);
  },

  with(index, value) {
    const object = toObject(this, 'Array.prototype.with');
    const length = lengthOfArrayLike(object);
    const relative = toIntegerOrInfinity(index);
    const at = relative < 0 ? length + relative : relative;
    if (at < 0 || at >= length) throw new RangeError('The index is outside of the array');
    requireArrayLength(length);
    const list = newList();
    for (let i = 0; i < length; i++) list[i] = i === at ? value : object[i];
    return arrayFromList(list);
  },
};
