// StructuredDeserialize, of records that structured_serialize.js has made.
// https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserialize
//
// Nothing of the program's runs, whatever setters it has put on prototypes.

// structuredDeserialize returns the value of a record; for the same record, the same object.
function structuredDeserialize(record) {
  if (typeof record !== 'object' || record === null) return record;
  if (record.made !== undefined) return record.made;
  switch (record.type) {
    case RECORD_PRIMITIVE_OBJECT: return record.made = Object(record.value);
    case RECORD_DATE: return record.made = new Date(record.value);
    case RECORD_REGEXP: return record.made = new RegExp(record.source, record.flags);
    case RECORD_ARRAY_BUFFER: return record.made = record.value;
    case RECORD_VIEW: return record.made = deserializeView(record);
    case RECORD_MAP: return deserializeMap(record);
    case RECORD_SET: return deserializeSet(record);
    case RECORD_ERROR: return deserializeError(record);
    case RECORD_ARRAY: return deserializeArray(record);
    case RECORD_PLATFORM: {
      const { deserialize } = record.kind;
      return record.made = deserialize(record.value);
    }
    default: return deserializeObject(record);
  }
}

function deserializeView({ name, buffer, offset, length }) {
  const memory = structuredDeserialize(buffer);
  if (name === undefined) return new DataView(memory, offset, length);
  return new (typedArrayConstructors.get(name))(memory, offset, length);
}

function deserializeMap(record) {
  const map = record.made = new Map();
  const { keys, values } = record;
  for (let i = 0; i < keys.length; i++) {
    const key = structuredDeserialize(keys[i]);
    MapPrototypeSet(map, key, structuredDeserialize(values[i]));
  }
  return map;
}

function deserializeSet(record) {
  const set = record.made = new Set();
  const { values } = record;
  for (let i = 0; i < values.length; i++) SetPrototypeAdd(set, structuredDeserialize(values[i]));
  return set;
}

function deserializeError(record) {
  const error = record.made = new (errorConstructors.get(record.name))();
  if (record.message !== undefined) hidden(error, 'message', record.message);
  if (record.stack === undefined) ReflectDeleteProperty(error, 'stack');
  else hidden(error, 'stack', record.stack);
  if (record.cause !== undefined) hidden(error, 'cause', structuredDeserialize(record.cause.value));
  return error;
}

// An array is filled while it has no prototype, so that no setter of one is called.
function deserializeArray(record) {
  const array = record.made = newList();
  array.length = record.length;
  const { keys, values } = record;
  for (let i = 0; i < keys.length; i++) {
    if (values[i] !== ABSENT) array[keys[i]] = structuredDeserialize(values[i]);
  }
  return ObjectSetPrototypeOf(array, ArrayPrototype);
}

// An object is given properties by assignment, which is cheaper, but for those that
// Object.prototype has. Nothing is behind that.
function deserializeObject(record) {
  const object = record.made = {};
  const { keys, values } = record;
  for (let i = 0; i < keys.length; i++) {
    if (values[i] === ABSENT) continue;
    const value = structuredDeserialize(values[i]);
    if (keys[i] in ObjectPrototype) visible(object, keys[i], value);
    else object[keys[i]] = value;
  }
  return object;
}
