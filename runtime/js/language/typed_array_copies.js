// Changing typed arrays by copy: toReversed, toSorted and with.
// ECMA-262, section 23.2.3, https://tc39.es/ecma262/#sec-%typedarray%.prototype.toreversed

{
  // createSameType makes a typed array of the same kind as another. Unlike the
  // constructors of methods such as slice, the kind does not depend on constructor.
  const createSameType = (array, length) => {
    switch (TypedArrayPrototypeGetToStringTag(array)) {
      case 'Int8Array': return new Int8Array(length);
      case 'Uint8Array': return new Uint8Array(length);
      case 'Uint8ClampedArray': return new Uint8ClampedArray(length);
      case 'Int16Array': return new Int16Array(length);
      case 'Uint16Array': return new Uint16Array(length);
      case 'Int32Array': return new Int32Array(length);
      case 'Uint32Array': return new Uint32Array(length);
      case 'Float32Array': return new Float32Array(length);
      case 'Float64Array': return new Float64Array(length);
      case 'BigInt64Array': return new BigInt64Array(length);
      default: return new BigUint64Array(length);
    }
  };

  // copyOf throws unless a value is a typed array that is not detached
  // (ValidateTypedArray), and returns a copy of it.
  const copyOf = (array) => {
    // keys validates its receiver, and does nothing else before next is called.
    TypedArrayPrototypeKeys(array);
    const copy = createSameType(array, TypedArrayPrototypeGetLength(array));
    TypedArrayPrototypeSet(copy, array);
    return copy;
  };

  exports.typedArrayCopies = {
    toReversed() {
      return TypedArrayPrototypeReverse(copyOf(this));
    },

    toSorted(comparator) {
      if (comparator !== undefined) requireCallable(comparator, 'The comparison function');
      // The copy is out of reach while it is sorted.
      return TypedArrayPrototypeSort(copyOf(this), comparator);
    },

    with(index, value) {
      TypedArrayPrototypeKeys(this);
      const length = TypedArrayPrototypeGetLength(this);
      const relative = toIntegerOrInfinity(index);
      const at = relative < 0 ? length + relative : relative;
      const kind = TypedArrayPrototypeGetToStringTag(this);
      // asIntN takes what ToBigInt takes; the 64 bits are what is stored.
      value = kind === 'BigInt64Array' || kind === 'BigUint64Array' ? BigIntAsIntN(64, value) : +value;
      // The conversion may have detached the array: then no index is valid.
      if (at < 0 || at >= TypedArrayPrototypeGetLength(this)) throw new RangeError('The index is outside of the array');
      const copy = copyOf(this);
      copy[at] = value;
      return copy;
    },
  };
}
