// ByteLengthQueuingStrategy and CountQueuingStrategy.
// https://streams.spec.whatwg.org/#qs-api

// The size attributes are the same functions for all instances.
const { byteLengthSize, countSize } = {
  byteLengthSize: ObjectGetOwnPropertyDescriptor({
    size(chunk) {
      return chunk.byteLength;
    },
  }, 'size').value,
  countSize: ObjectGetOwnPropertyDescriptor({
    size() {
      return 1;
    },
  }, 'size').value,
};

// toHighWaterMark reads the dictionary QueuingStrategyInit.
function toHighWaterMark(init, what) {
  const given = toDictionaryObject(init, `${what}: the argument`);
  const highWaterMark = given === undefined ? undefined : given.highWaterMark;
  if (highWaterMark === undefined) throw new TypeError(`${what}: highWaterMark is missing`);
  return toUnrestrictedDouble(highWaterMark);
}

class ByteLengthQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    requireArguments(arguments.length, 1, 'ByteLengthQueuingStrategy');
    this.#highWaterMark = toHighWaterMark(init, 'ByteLengthQueuingStrategy');
  }

  get highWaterMark() {
    if (!isObject(this) || !(#highWaterMark in this)) throw illegalInvocation('ByteLengthQueuingStrategy.highWaterMark');
    return this.#highWaterMark;
  }

  get size() {
    if (!isObject(this) || !(#highWaterMark in this)) throw illegalInvocation('ByteLengthQueuingStrategy.size');
    return byteLengthSize;
  }
}

class CountQueuingStrategy {
  #highWaterMark;

  constructor(init) {
    requireArguments(arguments.length, 1, 'CountQueuingStrategy');
    this.#highWaterMark = toHighWaterMark(init, 'CountQueuingStrategy');
  }

  get highWaterMark() {
    if (!isObject(this) || !(#highWaterMark in this)) throw illegalInvocation('CountQueuingStrategy.highWaterMark');
    return this.#highWaterMark;
  }

  get size() {
    if (!isObject(this) || !(#highWaterMark in this)) throw illegalInvocation('CountQueuingStrategy.size');
    return countSize;
  }
}

exports.ByteLengthQueuingStrategy = defineInterface(ByteLengthQueuingStrategy, 'ByteLengthQueuingStrategy');
exports.CountQueuingStrategy = defineInterface(CountQueuingStrategy, 'CountQueuingStrategy');
