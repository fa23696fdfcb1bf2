// Primordials: every built-in that the runtime uses, taken before guest code can
// run. Guest code may patch any prototype, constructor or global afterwards
// without changing what the runtime does.
// ECMA-262, https://tc39.es/ecma262/
//
// Rules for all files of the runtime (source_test.go checks the textual ones):
//  - A method of a built-in is called as an uncurried copy: StringPrototypeSlice(s, 1).
//  - Constructors are shadowed here under their own names, so that `new Map()` in
//    any file means the built-in one, whatever the guest puts on its global.
//  - No for…of, spread, array destructuring, instanceof, and no regular
//    expressions: each runs through something that a guest can patch.
//  - Records whose fields are not all own have a null prototype. So have lists
//    that grow, because a setter on Array.prototype sees an element being added.

const {
  AggregateError, Array, ArrayBuffer, BigInt, BigInt64Array, BigUint64Array, DataView, Date, Error, EvalError, Float32Array,
  Float64Array, Int16Array, Int32Array, Int8Array, Map, Number, Object, Promise, Proxy, RangeError, ReferenceError, RegExp, Set,
  String, Symbol, SyntaxError, TypeError, Uint16Array, Uint32Array, Uint8Array, Uint8ClampedArray, URIError, WeakMap,
} = globalThis;

const globalObject = globalThis;
const { decodeURIComponent, encodeURI, encodeURIComponent } = globalThis;

// uncurryThis(f)(receiver, ...rest) is f.call(receiver, ...rest).
const uncurryThis = Function.prototype.bind.bind(Function.prototype.call);
let uncurryGetter = (object, key) => uncurryThis(Reflect.getOwnPropertyDescriptor(object, key).get);

const {
  create: ObjectCreate, defineProperty: ObjectDefineProperty, freeze: ObjectFreeze,
  getOwnPropertyDescriptor: ObjectGetOwnPropertyDescriptor, hasOwn: ObjectHasOwn, is: ObjectIs, keys: ObjectKeys,
  prototype: ObjectPrototype, setPrototypeOf: ObjectSetPrototypeOf, values: ObjectValues,
} = Object;
const ObjectPrototypeToString = uncurryThis(ObjectPrototype.toString);

const {
  apply: ReflectApply, construct: ReflectConstruct, defineProperty: ReflectDefineProperty, deleteProperty: ReflectDeleteProperty,
  getOwnPropertyDescriptor: ReflectGetOwnPropertyDescriptor, getPrototypeOf: ReflectGetPrototypeOf, has: ReflectHas,
  ownKeys: ReflectOwnKeys, preventExtensions: ReflectPreventExtensions, set: ReflectSet,
} = Reflect;

const { isArray: ArrayIsArray, prototype: ArrayPrototype } = Array;
const ArrayPrototypeSort = uncurryThis(ArrayPrototype.sort);
const ArrayPrototypeToString = ArrayPrototype.toString;
const { isView: ArrayBufferIsView, prototype: ArrayBufferPrototype } = ArrayBuffer;
const ArrayBufferPrototypeGetByteLength = uncurryGetter(ArrayBufferPrototype, 'byteLength');

const { parse: JSONParse, stringify: JSONStringify } = JSON;

const { abs: MathAbs, floor: MathFloor, trunc: MathTrunc } = Math;
const { isFinite: NumberIsFinite, isInteger: NumberIsInteger, MAX_SAFE_INTEGER: NUMBER_MAX_SAFE_INTEGER,
  parseFloat: NumberParseFloat, parseInt: NumberParseInt, prototype: NumberPrototype } =
  Number;
const NumberPrototypeToString = uncurryThis(NumberPrototype.toString);
const NumberPrototypeValueOf = uncurryThis(NumberPrototype.valueOf);
const { asIntN: BigIntAsIntN } = BigInt;
const BigIntPrototype = BigInt.prototype;
const BigIntPrototypeValueOf = uncurryThis(BigIntPrototype.valueOf);
const BooleanPrototype = Boolean.prototype;
const BooleanPrototypeValueOf = uncurryThis(BooleanPrototype.valueOf);

const { fromCharCode: StringFromCharCode, prototype: StringPrototype } = String;
const StringPrototypeCharCodeAt = uncurryThis(StringPrototype.charCodeAt);
const StringPrototypeIndexOf = uncurryThis(StringPrototype.indexOf);
const StringPrototypeLastIndexOf = uncurryThis(StringPrototype.lastIndexOf);
const StringPrototypePadEnd = uncurryThis(StringPrototype.padEnd);
const StringPrototypePadStart = uncurryThis(StringPrototype.padStart);
const StringPrototypeRepeat = uncurryThis(StringPrototype.repeat);
const StringPrototypeSlice = uncurryThis(StringPrototype.slice);
const StringPrototypeStartsWith = uncurryThis(StringPrototype.startsWith);
const StringPrototypeToLowerCase = uncurryThis(StringPrototype.toLowerCase);
const StringPrototypeValueOf = uncurryThis(StringPrototype.valueOf);

const {
  asyncIterator: SymbolAsyncIterator, iterator: SymbolIterator, keyFor: SymbolKeyFor, prototype: SymbolPrototype,
  toPrimitive: SymbolToPrimitive, toStringTag: SymbolToStringTag, unscopables: SymbolUnscopables,
} = Symbol;
const SymbolPrototypeGetDescription = uncurryGetter(SymbolPrototype, 'description');
const SymbolPrototypeToString = uncurryThis(SymbolPrototype.toString);
const SymbolPrototypeValueOf = uncurryThis(SymbolPrototype.valueOf);

const { now: DateNow, prototype: DatePrototype } = Date;
const DatePrototypeGetTime = uncurryThis(DatePrototype.getTime);
const DatePrototypeSetTime = uncurryThis(DatePrototype.setTime);
const DatePrototypeToISOString = uncurryThis(DatePrototype.toISOString);

// The setters that date_setters.js takes the place of.
const {
  setDate: engineDateDate, setHours: engineDateHours, setMilliseconds: engineDateMilliseconds, setMinutes: engineDateMinutes,
  setMonth: engineDateMonth, setSeconds: engineDateSeconds, setUTCDate: engineDateUTCDate, setUTCHours: engineDateUTCHours,
  setUTCMilliseconds: engineDateUTCMilliseconds, setUTCMinutes: engineDateUTCMinutes, setUTCMonth: engineDateUTCMonth,
  setUTCSeconds: engineDateUTCSeconds,
} = DatePrototype;

const RegExpPrototype = RegExp.prototype;
const RegExpPrototypeGetSource = uncurryGetter(RegExpPrototype, 'source');
const RegExpPrototypeGetHasIndices = uncurryGetter(RegExpPrototype, 'hasIndices');
const RegExpPrototypeGetGlobal = uncurryGetter(RegExpPrototype, 'global');
const RegExpPrototypeGetIgnoreCase = uncurryGetter(RegExpPrototype, 'ignoreCase');
const RegExpPrototypeGetMultiline = uncurryGetter(RegExpPrototype, 'multiline');
const RegExpPrototypeGetDotAll = uncurryGetter(RegExpPrototype, 'dotAll');
const RegExpPrototypeGetUnicode = uncurryGetter(RegExpPrototype, 'unicode');
const RegExpPrototypeGetSticky = uncurryGetter(RegExpPrototype, 'sticky');

const MapPrototype = Map.prototype;
const MapPrototypeEntries = uncurryThis(MapPrototype.entries);
const MapPrototypeGet = uncurryThis(MapPrototype.get);
const MapPrototypeGetSize = uncurryGetter(MapPrototype, 'size');
const MapPrototypeHas = uncurryThis(MapPrototype.has);
const MapPrototypeSet = uncurryThis(MapPrototype.set);
const MapIteratorPrototypeNext = uncurryThis(Reflect.getPrototypeOf(new Map().entries()).next);
const SetPrototype = Set.prototype;
const SetPrototypeAdd = uncurryThis(SetPrototype.add);
const SetPrototypeDelete = uncurryThis(SetPrototype.delete);
const SetPrototypeGetSize = uncurryGetter(SetPrototype, 'size');
const SetPrototypeHas = uncurryThis(SetPrototype.has);
const SetPrototypeValues = uncurryThis(SetPrototype.values);
const SetIteratorPrototypeNext = uncurryThis(Reflect.getPrototypeOf(new Set().values()).next);

const IteratorPrototype = Reflect.getPrototypeOf(Reflect.getPrototypeOf([][Symbol.iterator]()));
const AsyncFunctionPrototype = Reflect.getPrototypeOf(async function () {});
const GeneratorFunctionPrototype = Reflect.getPrototypeOf(function* () {});
const AsyncGeneratorFunctionPrototype = Reflect.getPrototypeOf(async function* () {});
const AsyncIteratorPrototype = Reflect.getPrototypeOf(AsyncGeneratorFunctionPrototype.prototype);

const TypedArrayPrototype = Reflect.getPrototypeOf(Uint8Array.prototype);
const TypedArrayPrototypeGetBuffer = uncurryGetter(TypedArrayPrototype, 'buffer');
const TypedArrayPrototypeGetByteLength = uncurryGetter(TypedArrayPrototype, 'byteLength');
const TypedArrayPrototypeGetByteOffset = uncurryGetter(TypedArrayPrototype, 'byteOffset');
const TypedArrayPrototypeGetLength = uncurryGetter(TypedArrayPrototype, 'length');
const TypedArrayPrototypeGetToStringTag = uncurryGetter(TypedArrayPrototype, Symbol.toStringTag);
const TypedArrayPrototypeIndexOf = uncurryThis(TypedArrayPrototype.indexOf);
const TypedArrayPrototypeKeys = uncurryThis(TypedArrayPrototype.keys);
const TypedArrayPrototypeReverse = uncurryThis(TypedArrayPrototype.reverse);
const TypedArrayPrototypeSet = uncurryThis(TypedArrayPrototype.set);
const TypedArrayPrototypeSort = uncurryThis(TypedArrayPrototype.sort);
const DataViewPrototype = DataView.prototype;
const DataViewPrototypeGetBuffer = uncurryGetter(DataViewPrototype, 'buffer');
const DataViewPrototypeGetByteLength = uncurryGetter(DataViewPrototype, 'byteLength');
const DataViewPrototypeGetByteOffset = uncurryGetter(DataViewPrototype, 'byteOffset');
const DataViewPrototypeGetUint16 = uncurryThis(DataViewPrototype.getUint16);
const DataViewPrototypeGetUint32 = uncurryThis(DataViewPrototype.getUint32);
const DataViewPrototypeSetFloat64 = uncurryThis(DataViewPrototype.setFloat64);
const DataViewPrototypeSetUint16 = uncurryThis(DataViewPrototype.setUint16);

const { captureStackTrace: ErrorCaptureStackTrace, prototype: ErrorPrototype } = Error;
const ErrorPrototypeToString = uncurryThis(ErrorPrototype.toString);
const AggregateErrorPrototype = AggregateError.prototype;
const EvalErrorPrototype = EvalError.prototype;
const RangeErrorPrototype = RangeError.prototype;
const ReferenceErrorPrototype = ReferenceError.prototype;
const SyntaxErrorPrototype = SyntaxError.prototype;
const TypeErrorPrototype = TypeError.prototype;

const PromisePrototype = Promise.prototype;
const {
  FinalizationRegistry: { prototype: FinalizationRegistryPrototype }, WeakMap: { prototype: WeakMapPrototype },
  WeakRef: { prototype: WeakRefPrototype }, WeakSet: { prototype: WeakSetPrototype },
} = globalThis;
const WeakMapPrototypeGet = uncurryThis(WeakMapPrototype.get);
const WeakMapPrototypeHas = uncurryThis(WeakMapPrototype.has);
const WeakMapPrototypeSet = uncurryThis(WeakMapPrototype.set);

const FunctionPrototypeCall = uncurryThis(Function.prototype.call);
const FunctionPrototypeHasInstance = uncurryThis(Function.prototype[Symbol.hasInstance]);
const FunctionPrototypeToString = uncurryThis(Function.prototype.toString);

const { Locale } = Intl;
const { DateTimeFormat, ListFormat, NumberFormat, getCanonicalLocales: IntlGetCanonicalLocales } = Intl;
const DateTimeFormatPrototypeFormatToParts = uncurryThis(DateTimeFormat.prototype.formatToParts);
const ListFormatPrototypeFormatToParts = uncurryThis(ListFormat.prototype.formatToParts);
const { supportedLocalesOf: NumberFormatSupportedLocalesOf } = NumberFormat;
const NumberFormatPrototypeFormatToParts = uncurryThis(NumberFormat.prototype.formatToParts);
const NumberFormatPrototypeResolvedOptions = uncurryThis(NumberFormat.prototype.resolvedOptions);
// The classes of Intl, whose instances have no data of their own that could be read: their names, and
// at the same positions their prototypes.
const intlNames = [];
const intlPrototypes = [];
for (const name of Reflect.ownKeys(Intl)) {
  if (typeof Intl[name] === 'function' && Intl[name].prototype !== undefined) {
    intlNames.push(name);
    intlPrototypes.push(Intl[name].prototype);
  }
}

// The built-in toString methods: what has one of these says nothing by it.
const builtInToStrings = [
  ObjectPrototype.toString, ArrayPrototype.toString, ErrorPrototype.toString, Function.prototype.toString,
  DatePrototype.toString, RegExpPrototype.toString, SymbolPrototype.toString, NumberPrototype.toString,
  StringPrototype.toString, BooleanPrototype.toString, BigIntPrototype.toString, TypedArrayPrototype.toString,
];

// SafeMap and SafeWeakMap are Map and WeakMap with the built-in methods as own
// properties of a prototype that nobody else holds.
const detach = (constructor, safe) => {
  for (const key of Reflect.ownKeys(constructor.prototype)) {
    if (key !== 'constructor') {
      Object.defineProperty(safe.prototype, key, Reflect.getOwnPropertyDescriptor(constructor.prototype, key));
    }
  }
  Object.setPrototypeOf(safe.prototype, null);
  Object.freeze(safe.prototype);
  return safe;
};
// The constructors are written out: V8 10.9 passes arguments through a default
// one by way of the array iterator, which a guest can patch.
const SafeMap = detach(Map, class SafeMap extends Map {
  constructor() {
    super();
  }
});
const SafeWeakMap = detach(WeakMap, class SafeWeakMap extends WeakMap {
  constructor() {
    super();
  }
});

// newList returns an empty list: an array that may grow by list[list.length] = v.
const newList = () => ObjectSetPrototypeOf([], null);
