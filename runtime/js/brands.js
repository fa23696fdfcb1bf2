// Brands: what kind of object a value is, by what a guest cannot forge.
//
// The prototype chain only suggests a brand; the built-in's own accessor, which
// throws unless the object has the internal slot, decides (ECMA-262, "internal
// slots" of each kind). So an object made to look like a Date is none, and an
// instance of a class derived from Date is one. An object whose chain was cut
// off from its built-in prototype counts as an ordinary object, like for JSON.
//
// For some kinds no accessor tells without a side effect (promises, weak
// collections, iterators): there the chain decides. They cannot cross the
// boundary, so a forged one harms only its maker. An error is what has
// Error.prototype in its chain, as `instanceof Error` says, because programs
// make errors of their own that way.

const brandOfPrototype = new SafeMap();
{
  const brands = [
    'Date', DatePrototype, 'RegExp', RegExpPrototype, 'Map', MapPrototype, 'Set', SetPrototype, 'Error', ErrorPrototype,
    'TypedArray', TypedArrayPrototype, 'DataView', DataViewPrototype, 'ArrayBuffer', ArrayBufferPrototype,
    'Promise', PromisePrototype, 'WeakMap', WeakMapPrototype, 'WeakSet', WeakSetPrototype, 'WeakRef', WeakRefPrototype,
    'FinalizationRegistry', FinalizationRegistryPrototype,
    'Number', NumberPrototype, 'String', StringPrototype, 'Boolean', BooleanPrototype, 'BigInt', BigIntPrototype,
    'Symbol', SymbolPrototype, 'Iterator', IteratorPrototype, 'AsyncIterator', AsyncIteratorPrototype,
  ];
  for (let i = 0; i < brands.length; i += 2) brandOfPrototype.set(brands[i + 1], brands[i]);
  for (let i = 0; i < intlNames.length; i++) brandOfPrototype.set(intlPrototypes[i], `Intl.${intlNames[i]}`);
}

// hasBrand asks the built-in itself.
function hasBrand(brand, value) {
  try {
    switch (brand) {
      case 'Date': DatePrototypeGetTime(value); return true;
      case 'RegExp': RegExpPrototypeGetSource(value); return value !== RegExpPrototype;
      case 'Map': MapPrototypeGetSize(value); return true;
      case 'Set': SetPrototypeGetSize(value); return true;
      case 'TypedArray': return TypedArrayPrototypeGetToStringTag(value) !== undefined;
      case 'DataView': DataViewPrototypeGetBuffer(value); return true;
      case 'ArrayBuffer': ArrayBufferPrototypeGetByteLength(value); return true;
      case 'Number': NumberPrototypeValueOf(value); return true;
      case 'String': StringPrototypeValueOf(value); return true;
      case 'Boolean': BooleanPrototypeValueOf(value); return true;
      case 'BigInt': BigIntPrototypeValueOf(value); return true;
      case 'Symbol': SymbolPrototypeValueOf(value); return true;
      default: return !platformKinds.has(brand) || isOfKind(platformKinds.get(brand), value);
    }
  } catch {
    return false;
  }
}

// brandOf returns the brand of an object, 'Array' or 'Object'. It throws what a
// proxy throws.
function brandOf(value) {
  if (ArrayIsArray(value)) return 'Array';
  let prototype = ReflectGetPrototypeOf(value);
  for (let i = 0; i < MAX_CHAIN && prototype !== null && prototype !== ObjectPrototype; i++) {
    const brand = brandOfPrototype.get(prototype);
    if (brand !== undefined && hasBrand(brand, value)) return brand;
    prototype = ReflectGetPrototypeOf(prototype);
  }
  return 'Object';
}

// inherits reports whether prototype is in the chain of an object.
function inherits(value, prototype) {
  let link = ReflectGetPrototypeOf(value);
  for (let i = 0; i < MAX_CHAIN && link !== null; i++) {
    if (link === prototype) return true;
    link = ReflectGetPrototypeOf(link);
  }
  return false;
}

// isError reports whether a value is an error. Unlike brandOf it also finds a
// native error whose chain was cut. It never throws.
function isError(value) {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return inherits(value, ErrorPrototype) || ObjectPrototypeToString(value) === '[object Error]';
  } catch {
    return false;
  }
}

// bytesOf returns the bytes that a typed array, DataView or ArrayBuffer covers,
// as a Uint8Array over the same memory. It throws when that is detached.
function bytesOf(value, brand) {
  if (brand === 'ArrayBuffer') return new Uint8Array(value);
  if (brand === 'DataView') {
    return new Uint8Array(
      DataViewPrototypeGetBuffer(value), DataViewPrototypeGetByteOffset(value), DataViewPrototypeGetByteLength(value));
  }
  return new Uint8Array(
    TypedArrayPrototypeGetBuffer(value), TypedArrayPrototypeGetByteOffset(value), TypedArrayPrototypeGetByteLength(value));
}

// flagsOf returns the flags of a regular expression from its internal slots; the
// built-in flags accessor would ask the object's own properties.
function flagsOf(value) {
  return (RegExpPrototypeGetHasIndices(value) ? 'd' : '') + (RegExpPrototypeGetGlobal(value) ? 'g' : '') +
    (RegExpPrototypeGetIgnoreCase(value) ? 'i' : '') + (RegExpPrototypeGetMultiline(value) ? 'm' : '') +
    (RegExpPrototypeGetDotAll(value) ? 's' : '') + (RegExpPrototypeGetUnicode(value) ? 'u' : '') +
    (RegExpPrototypeGetSticky(value) ? 'y' : '');
}

// isDetachedBuffer reports whether an ArrayBuffer is detached.
function isDetachedBuffer(buffer) {
  if (ArrayBufferPrototypeGetByteLength(buffer) > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    return true;
  }
}
