// Encoding the kinds that have an escape form and hold something: maps, sets,
// errors and bytes. The walk they are part of is in codec_encode.js.
// The format is specified in the Go package protocol, value_codec.go.

function encodeMap(map, depth) {
  countNodes(2 * MapPrototypeGetSize(map), depth);
  encodeText += '{"$":"map","v":[';
  const entries = MapPrototypeEntries(map);
  // The built-in iterator is live: entries that a getter adds are met, and are
  // counted here; the bound on nodes ends it.
  const counted = MapPrototypeGetSize(map);
  for (let i = 0, step = MapIteratorPrototypeNext(entries); !step.done; i++, step = MapIteratorPrototypeNext(entries)) {
    if (i >= counted) countNodes(2, depth);
    const entry = step.value;
    encodeText += i === 0 ? '[' : ',[';
    encodeKeys[depth] = 2 * i;
    encodeValue(entry[0], depth + 1);
    encodeText += ',';
    encodeKeys[depth] = 2 * i + 1;
    encodeValue(entry[1], depth + 1);
    encodeText += ']';
    if (encodeText.length > ENCODE_CHUNK) flushText();
  }
  encodeText += ']}';
}

function encodeSet(set, depth) {
  const counted = SetPrototypeGetSize(set);
  countNodes(counted, depth);
  encodeText += '{"$":"set","v":[';
  const values = SetPrototypeValues(set);
  for (let i = 0, step = SetIteratorPrototypeNext(values); !step.done; i++, step = SetIteratorPrototypeNext(values)) {
    if (i >= counted) countNodes(1, depth);
    if (i > 0) encodeText += ',';
    encodeKeys[depth] = i;
    encodeValue(step.value, depth + 1);
    if (encodeText.length > ENCODE_CHUNK) flushText();
  }
  encodeText += ']}';
}

// encodeError adds an error: its name and message as text, its stack when it is
// text, its own cause, its other own enumerable properties, and the errors of an
// AggregateError.
function encodeError(error, depth) {
  encodeText += '{"$":"error","name":';
  encodeString(textOf(error.name, 'Error'));
  encodeText += ',"message":';
  encodeString(textOf(error.message, ''));
  const stack = ObjectHasOwn(error, 'stack') ? error.stack : undefined;
  if (typeof stack === 'string' && stack !== '') {
    encodeText += ',"stack":';
    encodeString(stack);
  }
  if (ObjectHasOwn(error, 'cause')) {
    countNodes(1, depth);
    encodeText += ',"cause":';
    encodeKeys[depth] = '.cause';
    encodeValue(error.cause, depth + 1);
  }
  const aggregate = inherits(error, AggregateErrorPrototype) && ObjectHasOwn(error, 'errors');
  const errors = aggregate ? error.errors : undefined;
  encodeFields(error, aggregate, errors, depth);
  if (ArrayIsArray(errors)) encodeErrors(errors, depth);
  encodeText += '}';
}

// encodeFields adds the own properties of an error that have no place of their
// own in its text. errors are those of an aggregate, which have been read.
function encodeFields(error, aggregate, errors, depth) {
  const keys = ObjectKeys(error);
  const fields = newList();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const own = key === 'name' || key === 'message' || key === 'stack' || key === 'cause' ||
      (key === 'errors' && ArrayIsArray(errors));
    if (!own) fields[fields.length] = key;
  }
  if (fields.length === 0) return;
  countNodes(fields.length, depth);
  const escaped = hasDollar(fields);
  encodeText += escaped ? ',"fields":{"$":"object","v":' : ',"fields":';
  for (let i = 0; i < fields.length; i++) {
    encodeKeys[depth] = memberStep(fields[i]);
    const value = aggregate && fields[i] === 'errors' ? errors : error[fields[i]];
    encodeText += quoteKey(fields[i], i === 0);
    encodeValue(value, depth + 1);
    if (encodeText.length > ENCODE_CHUNK) flushText();
  }
  encodeText += escaped ? '}}' : '}';
}

function encodeErrors(errors, depth) {
  const length = lengthOf(errors);
  countNodes(length, depth);
  encodeText += ',"errors":[';
  for (let i = 0; i < length; i++) {
    if (i > 0) encodeText += ',';
    encodeKeys[depth] = `.errors[${i}]`;
    encodeValue(errors[i], depth + 1);
    if (encodeText.length > ENCODE_CHUNK) flushText();
  }
  encodeText += ']';
}

// textOf converts a primitive to text; an object says nothing, because asking it
// would run more of the guest's code than reading a property does.
function textOf(value, otherwise) {
  switch (typeof value) {
    case 'string': return value;
    case 'number': case 'boolean': case 'bigint': return `${value}`;
    default: return otherwise;
  }
}

function encodeBytes(value, brand, depth) {
  let bytes;
  try {
    bytes = bytesOf(value, brand);
  } catch {
    unserializable('detached ArrayBuffer', depth);
  }
  const length = TypedArrayPrototypeGetByteLength(bytes);
  const most = encodeBase + encodeText.length + 4 * ((length + 2 - ((length + 2) % 3)) / 3);
  if (most > encodeLimit) tooLarge(most);
  const type = brand === 'TypedArray' ? TypedArrayPrototypeGetToStringTag(value) : brand;
  encodeText += `{"$":"bytes","type":"${type}","v":"`;
  encodeText += part('base64').encodeBase64(bytes, length);
  encodeText += '"}';
}
