// Web IDL: the conversion of arguments. https://webidl.spec.whatwg.org/#js-type-mapping
//
// Each converter is named as the type in the standard. Texts of errors say what was
// called and which argument is wrong.

// toDOMString is the conversion to DOMString (and, of what is left, ByteString).
function toDOMString(value, what) {
  if (typeof value === 'string') return value;
  if (typeof value === 'symbol') throw new TypeError(`${what} is a symbol, which cannot be converted to a string`);
  return `${value}`;
}

// toUSVString is toDOMString with lone surrogates replaced by U+FFFD.
function toUSVString(value, what) {
  return scalarValueString(toDOMString(value, what));
}

// scalarValueString replaces lone surrogates. https://infra.spec.whatwg.org/#scalar-value-string
function scalarValueString(text) {
  for (let i = 0; i < text.length; i++) {
    const unit = StringPrototypeCharCodeAt(text, i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (unit < 0xdc00 && i + 1 < text.length) {
      const next = StringPrototypeCharCodeAt(text, i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        i++;
        continue;
      }
    }
    return replaceSurrogates(text, i);
  }
  return text;
}

function replaceSurrogates(text, from) {
  let out = StringPrototypeSlice(text, 0, from);
  let kept = from;
  for (let i = from; i < text.length; i++) {
    const unit = StringPrototypeCharCodeAt(text, i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (unit < 0xdc00 && i + 1 < text.length) {
      const next = StringPrototypeCharCodeAt(text, i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        i++;
        continue;
      }
    }
    out += `${StringPrototypeSlice(text, kept, i)}\ufffd`;
    kept = i + 1;
  }
  return out + StringPrototypeSlice(text, kept);
}

// toByteString throws for a code unit beyond 255.
function toByteString(value, what) {
  const text = toDOMString(value, what);
  for (let i = 0; i < text.length; i++) {
    if (StringPrototypeCharCodeAt(text, i) > 255) {
      throw new TypeError(`${what} has the character at index ${i} whose value is greater than 255`);
    }
  }
  return text;
}

const MODULO = 0;
const ENFORCE_RANGE = 1;
const CLAMP = 2;

// toInteger is ConvertToInt(V, bits, signedness) for an unsigned or signed type of at
// most 64 bits; of 64 bits the result is exact as far as a Number is.
function toInteger(value, bits, signed, mode, what) {
  const number = +value;
  let low = 0;
  let high = 2 ** bits - 1;
  if (bits === 64) {
    high = NUMBER_MAX_SAFE_INTEGER;
    low = signed ? -NUMBER_MAX_SAFE_INTEGER : 0;
  } else if (signed) {
    low = -(2 ** (bits - 1));
    high = 2 ** (bits - 1) - 1;
  }
  if (mode === ENFORCE_RANGE) {
    if (!NumberIsFinite(number)) throw new TypeError(`${what} is not a finite number`);
    const whole = MathTrunc(number) + 0;
    if (whole < low || whole > high) throw new TypeError(`${what} is outside the range ${low} to ${high}`);
    return whole;
  }
  if (mode === CLAMP) {
    if (number !== number) return 0;
    return roundHalfEven(number < low ? low : number > high ? high : number);
  }
  if (!NumberIsFinite(number) || number === 0) return 0;
  const whole = MathTrunc(number) + 0;
  if (whole >= low && whole <= high) return whole;
  const modulus = 2 ** bits;
  let rest = whole % modulus;
  if (rest < 0) rest += modulus;
  if (signed && rest >= modulus / 2) rest -= modulus;
  return rest + 0;
}

function roundHalfEven(number) {
  const floor = MathFloor(number);
  const rest = number - floor;
  if (rest < 0.5 || (rest === 0.5 && floor % 2 === 0)) return floor + 0;
  return floor + 1;
}

const toUnsignedShort = (value, what, mode = MODULO) => toInteger(value, 16, false, mode, what);
const toLong = (value, what, mode = MODULO) => toInteger(value, 32, true, mode, what);
const toUnsignedLong = (value, what, mode = MODULO) => toInteger(value, 32, false, mode, what);
const toLongLong = (value, what, mode = MODULO) => toInteger(value, 64, true, mode, what);
const toUnsignedLongLong = (value, what, mode = MODULO) => toInteger(value, 64, false, mode, what);

function toUnrestrictedDouble(value) {
  return +value;
}

function toDouble(value, what) {
  const number = +value;
  if (!NumberIsFinite(number)) throw new TypeError(`${what} is not a finite number`);
  return number;
}

// toDictionaryObject returns the object whose members are read, or undefined when
// every member is absent. The caller reads the members in alphabetical order.
function toDictionaryObject(value, what) {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw new TypeError(`${what} is not an object`);
  return value;
}

// toEnumeration throws unless the value is one of the names.
function toEnumeration(value, names, what) {
  const text = toDOMString(value, what);
  for (let i = 0; i < names.length; i++) if (names[i] === text) return text;
  throw new TypeError(`${what} '${cut(text, 64)}' is none of the values that it can have`);
}

// toSequence reads an iterable as a list, by its iterator; convert is given each
// value and a text that says which it is. https://webidl.spec.whatwg.org/#js-sequence
function toSequence(value, what, convert) {
  if (!isObject(value)) throw new TypeError(`${what} is not iterable`);
  const method = value[SymbolIterator];
  if (method === undefined || method === null) throw new TypeError(`${what} is not iterable`);
  return sequenceFrom(value, method, what, convert);
}

// sequenceFrom is the part of toSequence behind the reading of the iterator method.
function sequenceFrom(value, method, what, convert) {
  if (typeof method !== 'function') throw new TypeError(`${what} is not iterable`);
  const iterator = ReflectApply(method, value, []);
  if (!isObject(iterator)) throw new TypeError(`${what}: its iterator is not an object`);
  const next = iterator.next;
  const list = newList();
  for (;;) {
    const step = ReflectApply(next, iterator, []);
    if (!isObject(step)) throw new TypeError(`${what}: its iterator gave something that is not an object`);
    if (step.done) return list;
    const item = step.value;
    list[list.length] = convert === undefined ? item : convert(item, `${what}: element ${list.length}`);
  }
}

// toRecord reads the own enumerable properties of an object as a list of [key, value].
// https://webidl.spec.whatwg.org/#js-record
function toRecord(value, what, convertKey, convertValue) {
  if (!isObject(value)) throw new TypeError(`${what} is not an object`);
  const keys = ReflectOwnKeys(value);
  const at = new SafeMap();
  const list = newList();
  for (let i = 0; i < keys.length; i++) {
    const descriptor = ReflectGetOwnPropertyDescriptor(value, keys[i]);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    const key = convertKey(keys[i], `${what}: a name`);
    const item = convertValue(value[keys[i]], `${what}: a value`);
    // Two keys can become one by conversion: the later value takes the earlier place.
    if (at.has(key)) {
      list[at.get(key)] = { 0: key, 1: item };
    } else {
      at.set(key, list.length);
      list[list.length] = { 0: key, 1: item };
    }
  }
  return list;
}
