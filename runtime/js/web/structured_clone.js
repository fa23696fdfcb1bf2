// structuredClone. https://html.spec.whatwg.org/multipage/structured-data.html#dom-structuredclone
//
// In two passes, as in the standard: serialization runs the program's getters and makes
// records of the runtime's own (structured_serialize.js); then the transfers; then
// deserialization makes the new values (structured_deserialize.js), which runs nothing.

// The kinds of record. A primitive value is its own record. Every record has all of its
// fields, so it needs no null prototype, which V8 keeps in a larger form; made is the object
// that was made from it.
const RECORD_PRIMITIVE_OBJECT = 1; // value
const RECORD_DATE = 2; // value: its time
const RECORD_REGEXP = 3; // source, flags
const RECORD_ARRAY_BUFFER = 4; // value: a copy
const RECORD_VIEW = 5; // type, buffer: a record, offset, length: undefined for a DataView of all
const RECORD_MAP = 6; // keys, values
const RECORD_SET = 7; // values
const RECORD_ERROR = 8; // name, message, stack, cause: a list of one or undefined
const RECORD_ARRAY = 9; // length, keys, values
const RECORD_OBJECT = 10; // keys, values
const RECORD_PLATFORM = 11; // kind, value: its data
const RECORD_TRANSFERRED = 12; // source, kind: of a platform object or undefined

// ABSENT is in place of the value of a property that was deleted meanwhile.
const ABSENT = ObjectFreeze({ __proto__: null });

function dataCloneError(message) {
  return newDOMException(message, 'DataCloneError');
}

function structuredClone(value, options) {
  const given = toDictionaryObject(options, 'structuredClone: the options');
  const transfer = given === undefined ? undefined : given.transfer;
  const list = transfer === undefined
    ? newList()
    : toSequence(transfer, 'structuredClone: transfer', (item, what) => {
      if (!isObject(item)) throw new TypeError(`${what} is not an object`);
      return item;
    });
  return cloneWithTransfer(value, list).value;
}

// cloneWithTransfer returns {value, received}: the clone, and what was made of the objects
// that are transferred, in their order.
// https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializewithtransfer
// https://html.spec.whatwg.org/multipage/structured-data.html#structureddeserializewithtransfer
function cloneWithTransfer(value, list) {
  const memory = new SafeMap();
  for (let i = 0; i < list.length; i++) {
    const source = list[i];
    const kind = native(KIND_OF, source) & KIND_ARRAY_BUFFER ? undefined : transferableKind(source);
    if (memory.has(source)) throw dataCloneError(`structuredClone: transfer has the same object twice, at ${i} again`);
    memory.set(source, { type: RECORD_TRANSFERRED, made: undefined, source, kind });
  }
  const record = structuredSerialize(value, memory);
  for (let i = 0; i < list.length; i++) {
    const { kind } = memory.get(list[i]);
    if (kind === undefined ? isDetachedBuffer(list[i]) : isDetachedObject(kind, list[i])) {
      throw dataCloneError(`structuredClone: the object at ${i} of transfer is detached already`);
    }
  }
  const received = newList();
  for (let i = 0; i < list.length; i++) {
    const transferred = memory.get(list[i]);
    transferOne(transferred, list[i]);
    received[i] = transferred.made;
  }
  return { __proto__: null, value: structuredDeserialize(record), received };
}

function transferableKind(value) {
  const kind = clonableKindOf(value);
  if (kind === undefined || kind.transfer === undefined) {
    throw dataCloneError(`structuredClone: ${describeRefused(value)} cannot be transferred`);
  }
  return kind;
}

function isDetachedObject({ isDetached }, value) {
  return isDetached(value);
}

// transferOne detaches a value and notes what was made of it.
function transferOne(record, value) {
  if (record.kind === undefined) {
    // What it answers for a buffer that was detached meanwhile, by a getter, is checked above.
    const buffer = native(TRANSFER, value);
    if (buffer === undefined) throw new TypeError('structuredClone: an ArrayBuffer of transfer cannot be detached');
    record.made = buffer;
    return;
  }
  const { transfer, receive } = record.kind;
  record.made = receive(transfer(value));
}

exports.structuredClone = structuredClone;
exports.cloneWithTransfer = cloneWithTransfer;
