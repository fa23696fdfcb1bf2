// Decoding errors and bytes. The rest of decoding is in codec_decode.js.
// The format is specified in the Go package protocol, value_codec.go.

// The error constructors by name; other names become an Error with that name.
const errorConstructors = new SafeMap();
{
  const constructors = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError];
  const names = [
    'Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'AggregateError',
  ];
  for (let i = 0; i < names.length; i++) errorConstructors.set(names[i], constructors[i]);
}

// The typed array constructors by name.
const typedArrayConstructors = new SafeMap();
{
  const names = [
    'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
    'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
  ];
  const constructors = [
    Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
    BigInt64Array, BigUint64Array,
  ];
  for (let i = 0; i < names.length; i++) typedArrayConstructors.set(names[i], constructors[i]);
}

// nameError gives an error the prototype that its name stands for, or the name
// as a property of its own when there is no such constructor.
function nameError(error, name) {
  const constructor = errorConstructors.get(name);
  if (constructor === undefined) hidden(error, 'name', name);
  else if (constructor !== Error) ObjectSetPrototypeOf(error, constructor.prototype);
}

function decodeError(node, id) {
  const message = textMember(node, 'message');
  const error = message === '' ? new Error() : new Error(message);
  define(id, error);
  nameError(error, textMember(node, 'name'));
  if (ObjectHasOwn(node, 'errors')) {
    // Whatever its name, only an AggregateError has errors.
    ObjectSetPrototypeOf(error, AggregateErrorPrototype);
    if (node.name !== 'AggregateError') hidden(error, 'name', node.name);
  }
  // Where it was made says nothing about the error that it stands for.
  if (ObjectHasOwn(node, 'stack')) hidden(error, 'stack', textMember(node, 'stack'));
  else ReflectDeleteProperty(error, 'stack');
  if (ObjectHasOwn(node, 'cause')) hidden(error, 'cause', decodeValue(node.cause, 0));
  if (ObjectHasOwn(node, 'fields')) decodeFields(error, node.fields);
  if (ObjectHasOwn(node, 'errors')) {
    const errors = listMember(node, 'errors');
    decodeElements(errors);
    hidden(error, 'errors', errors);
  }
  return error;
}

// decodeFields gives an error the own properties of a decoded plain object.
function decodeFields(error, node) {
  const fields = decodeValue(node, 0);
  if (typeof fields !== 'object' || fields === null || ArrayIsArray(fields)) badText('fields are no object');
  const keys = ObjectKeys(fields);
  for (let i = 0; i < keys.length; i++) visible(error, keys[i], fields[keys[i]]);
}

function decodeBytes(type, text) {
  const bytes = part('base64').decodeBase64(text);
  if (bytes === undefined) badText('bytes that are no base64');
  if (type === 'Uint8Array') return bytes;
  const buffer = TypedArrayPrototypeGetBuffer(bytes);
  if (type === 'ArrayBuffer') return buffer;
  if (type === 'DataView') return new DataView(buffer);
  const constructor = typedArrayConstructors.get(type);
  if (constructor === undefined) badText('bytes of an unknown type');
  try {
    return new constructor(buffer);
  } catch {
    return badText('bytes that are no whole elements');
  }
}
