// StructuredSerializeInternal.
// https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializeinternal
//
// It calls itself for what is within a value; a value that is too deep for the stack is
// V8's RangeError. Different from the standard: an error keeps its cause, as in every
// browser, and an arguments object counts as an ordinary one.

// structuredSerialize returns the record of a value. memory has the records of the
// objects that were met.
function structuredSerialize(value, memory) {
  switch (typeof value) {
    case 'object':
      break;
    case 'function':
    case 'symbol':
      throw dataCloneError(`${describeRefused(value)} cannot be cloned`);
    default:
      return value;
  }
  if (value === null) return value;
  const known = memory.get(value);
  if (known !== undefined) return known;
  const kind = native(KIND_OF, value);
  const record = kind === 0 || kind === KIND_ARGUMENTS ? undefined : serializeKind(value, kind, memory);
  if (record !== undefined) return record;
  return serializeObject(value, memory);
}

// remember notes the record of an object before what is in the object is serialized.
function remember(memory, value, record) {
  memory.set(value, record);
  return record;
}

const REFUSED_KINDS = KIND_PROXY | KIND_PROMISE | KIND_MODULE_NAMESPACE | KIND_GENERATOR | KIND_WEAK |
  KIND_COLLECTION_ITERATOR | KIND_EXTERNAL | KIND_SYMBOL;

// serializeKind returns the record of an object with internal slots that the engine knows.
function serializeKind(value, kind, memory) {
  if (kind & REFUSED_KINDS) throw dataCloneError(`${describeRefused(value)} cannot be cloned`);
  if (kind & KIND_NATIVE_ERROR) {
    const platform = clonableKindOf(value);
    return platform === undefined ? serializeError(value, memory) : serializePlatform(value, platform, memory);
  }
  if (kind & KIND_MAP) return serializeMap(value, memory);
  if (kind & KIND_SET) return serializeSet(value, memory);
  if (kind & KIND_ARRAY_BUFFER) return serializeBuffer(value, memory);
  if (kind & KIND_ARRAY_BUFFER_VIEW) return serializeView(value, memory);
  if (kind & KIND_DATE) {
    return remember(memory, value, { type: RECORD_DATE, made: undefined, value: DatePrototypeGetTime(value) });
  }
  if (kind & KIND_REGEXP) {
    return remember(memory, value, {
      type: RECORD_REGEXP, made: undefined, source: RegExpPrototypeGetSource(value), flags: flagsOf(value),
    });
  }
  const primitive = kind & KIND_BOOLEAN ? BooleanPrototypeValueOf(value)
    : kind & KIND_NUMBER ? NumberPrototypeValueOf(value)
    : kind & KIND_BIGINT ? BigIntPrototypeValueOf(value)
    : kind & KIND_STRING ? StringPrototypeValueOf(value)
    : undefined;
  if (primitive === undefined) return undefined;
  return remember(memory, value, { type: RECORD_PRIMITIVE_OBJECT, made: undefined, value: primitive });
}

function serializeBuffer(buffer, memory) {
  if (isDetachedBuffer(buffer)) throw dataCloneError('a detached ArrayBuffer cannot be cloned');
  const copy = new ArrayBuffer(ArrayBufferPrototypeGetByteLength(buffer));
  TypedArrayPrototypeSet(new Uint8Array(copy), new Uint8Array(buffer));
  return remember(memory, buffer, { type: RECORD_ARRAY_BUFFER, made: undefined, value: copy });
}

function serializeView(view, memory) {
  const name = TypedArrayPrototypeGetToStringTag(view);
  const isDataView = name === undefined;
  const buffer = isDataView ? DataViewPrototypeGetBuffer(view) : TypedArrayPrototypeGetBuffer(view);
  if (isDetachedBuffer(buffer)) throw dataCloneError('a view of a detached ArrayBuffer cannot be cloned');
  const record = {
    type: RECORD_VIEW, made: undefined, name, buffer: undefined,
    offset: isDataView ? DataViewPrototypeGetByteOffset(view) : TypedArrayPrototypeGetByteOffset(view),
    length: isDataView ? DataViewPrototypeGetByteLength(view) : TypedArrayPrototypeGetLength(view),
  };
  record.buffer = structuredSerialize(buffer, memory);
  return remember(memory, view, record);
}

function serializeMap(map, memory) {
  const keys = newList();
  const values = newList();
  const record = remember(memory, map, { type: RECORD_MAP, made: undefined, keys, values });
  const entries = MapPrototypeEntries(map);
  // All entries first: what is serialized then may change the map.
  for (let step = MapIteratorPrototypeNext(entries); !step.done; step = MapIteratorPrototypeNext(entries)) {
    keys[keys.length] = step.value[0];
    values[values.length] = step.value[1];
  }
  for (let i = 0; i < keys.length; i++) {
    keys[i] = structuredSerialize(keys[i], memory);
    values[i] = structuredSerialize(values[i], memory);
  }
  return record;
}

function serializeSet(set, memory) {
  const values = newList();
  const record = remember(memory, set, { type: RECORD_SET, made: undefined, values });
  const members = SetPrototypeValues(set);
  for (let step = SetIteratorPrototypeNext(members); !step.done; step = SetIteratorPrototypeNext(members)) {
    values[values.length] = step.value;
  }
  for (let i = 0; i < values.length; i++) values[i] = structuredSerialize(values[i], memory);
  return record;
}

function serializeError(error, memory) {
  const { name } = error;
  const known = typeof name === 'string' && name !== 'AggregateError' && errorConstructors.has(name);
  const message = ObjectGetOwnPropertyDescriptor(error, 'message');
  const text = message !== undefined && ObjectHasOwn(message, 'value')
    ? toDOMString(message.value, 'structuredClone: the message of an error')
    : undefined;
  const stack = dataOf(error, 'stack');
  const record = remember(memory, error, {
    type: RECORD_ERROR, made: undefined, name: known ? name : 'Error', message: text, stack: typeof stack === 'string' ? stack : undefined,
    cause: undefined,
  });
  const cause = ObjectGetOwnPropertyDescriptor(error, 'cause');
  if (cause !== undefined && ObjectHasOwn(cause, 'value')) {
    record.cause = { __proto__: null, value: structuredSerialize(cause.value, memory) };
  }
  return record;
}

function serializePlatform(value, kind, memory) {
  const { serialize } = kind;
  // It can be transferred only.
  if (serialize === undefined) throw dataCloneError(`${describeRefused(value)} cannot be cloned`);
  const record = remember(memory, value, { type: RECORD_PLATFORM, made: undefined, kind, value: undefined });
  record.value = serialize(value);
  return record;
}

// serializeObject returns the record of an array, a platform object or an ordinary object.
function serializeObject(value, memory) {
  const isArray = ArrayIsArray(value);
  const length = isArray ? value.length : 0;
  if (!isArray) {
    const kind = clonableKindOf(value);
    if (kind !== undefined) return serializePlatform(value, kind, memory);
    const refused = refusedName(value);
    if (refused !== undefined) throw dataCloneError(`an instance of ${refused} cannot be cloned`);
  }
  const keys = ObjectKeys(value);
  // As long as it will be, and no setter sees an element being added.
  const values = ObjectSetPrototypeOf(new Array(keys.length), null);
  const record = { type: isArray ? RECORD_ARRAY : RECORD_OBJECT, made: undefined, length, keys, values };
  memory.set(value, record);
  for (let i = 0; i < keys.length; i++) {
    // A getter may have deleted it.
    values[i] = ObjectHasOwn(value, keys[i]) ? structuredSerialize(value[keys[i]], memory) : ABSENT;
  }
  return record;
}

// refusedName returns the name of the interface or built-in that an object with internal
// slots, which the engine's kinds do not tell, is an instance of; undefined for others.
// The chain ends at a proxy, whose traps this is no reason to call.
function refusedName(value) {
  let link = ReflectGetPrototypeOf(value);
  for (let i = 0; i < MAX_CHAIN && link !== null && link !== ObjectPrototype; i++) {
    const interfaceName = interfacePrototypes.get(link);
    if (interfaceName !== undefined) return interfaceName;
    const brand = brandOfPrototype.get(link);
    if (brand === 'FinalizationRegistry' || brand === 'Iterator' || brand === 'AsyncIterator') return brand;
    if (brand !== undefined && StringPrototypeStartsWith(brand, 'Intl.')) return brand;
    if (native(KIND_OF, link) & KIND_PROXY) return undefined;
    link = ReflectGetPrototypeOf(link);
  }
  return undefined;
}

// describeRefused names a value for an error, without running anything of the program.
function describeRefused(value) {
  if (typeof value === 'symbol') return part('inspection').inspectSymbol(value);
  if (typeof value === 'function') {
    const name = dataOf(value, 'name');
    return typeof name === 'string' && name !== '' ? `the function ${cut(name, 64)}` : 'a function';
  }
  const kind = native(KIND_OF, value);
  if (kind & KIND_PROXY) return 'a Proxy';
  if (kind & KIND_PROMISE) return 'a Promise';
  if (kind & KIND_MODULE_NAMESPACE) return 'a module namespace object';
  if (kind & KIND_GENERATOR) return 'a generator object';
  if (kind & KIND_COLLECTION_ITERATOR) return 'an iterator';
  const name = part('inspection').classNameOf(value);
  return name === null ? 'an object' : `an instance of ${name}`;
}
