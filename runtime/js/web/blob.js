// Blob and File. https://w3c.github.io/FileAPI/
//
// A blob's bytes never change and are never handed out, so slices share them.

const { add: addBlobSlots, has: isBlob, of: blobSlots } = newSlots('Blob');
const { add: addFileSlots, has: isFile, of: fileSlots } = newSlots('File');

const ENDINGS = ['transparent', 'native'];

// toBlobParts converts sequence<BlobPart>: texts become USVStrings, the rest stays.
function toBlobParts(value, what) {
  return toSequence(value, what, (item, which) => (isBytes(item) || isBlob(item) ? item : toUSVString(item, which)));
}

function isBytes(value) {
  return isObject(value) && (native(KIND_OF, value) & (KIND_ARRAY_BUFFER | KIND_ARRAY_BUFFER_VIEW)) !== 0;
}

// toBlobBag reads the dictionary BlobPropertyBag.
function toBlobBag(options, what) {
  const given = toDictionaryObject(options, `${what}: the options`);
  const bag = { __proto__: null, given, endings: 'transparent', type: '' };
  if (given === undefined) return bag;
  const { endings } = given;
  if (endings !== undefined) bag.endings = toEnumeration(endings, ENDINGS, `${what}: endings`);
  const { type } = given;
  if (type !== undefined) bag.type = toDOMString(type, `${what}: the type`);
  return bag;
}

// contentType returns a type in lower case, '' when it has other than printable ASCII.
function contentType(type) {
  for (let i = 0; i < type.length; i++) {
    const unit = StringPrototypeCharCodeAt(type, i);
    if (unit < 0x20 || unit > 0x7e) return '';
  }
  return StringPrototypeToLowerCase(type);
}

// https://w3c.github.io/FileAPI/#convert-line-endings-to-native, of a system with U+000A
function nativeEndings(text) {
  let out = '';
  let from = 0;
  for (let at = StringPrototypeIndexOf(text, '\r'); at >= 0; at = StringPrototypeIndexOf(text, '\r', from)) {
    out += `${StringPrototypeSlice(text, from, at)}\n`;
    from = StringPrototypeCharCodeAt(text, at + 1) === 10 ? at + 2 : at + 1;
  }
  return out + StringPrototypeSlice(text, from);
}

// partBytes returns the bytes of a part: those of a blob or buffer are not copied.
function partBytes(item, endings) {
  if (typeof item === 'string') return encodeUTF8(endings === 'native' ? nativeEndings(item) : item);
  if (isBlob(item)) return blobSlots(item).bytes;
  const brand = native(KIND_OF, item) & KIND_ARRAY_BUFFER ? 'ArrayBuffer'
    : TypedArrayPrototypeGetToStringTag(item) === undefined ? 'DataView' : 'TypedArray';
  try {
    return bytesOf(item, brand);
  } catch {
    return new Uint8Array(0); // detached
  }
}

function encodeUTF8(text) {
  const bytes = new Uint8Array(native(UTF8_LENGTH, text));
  native(UTF8_WRITE, text, bytes);
  return bytes;
}

// https://w3c.github.io/FileAPI/#process-blob-parts
function processBlobParts(list, endings) {
  const pieces = newList();
  let size = 0;
  for (let i = 0; i < list.length; i++) {
    pieces[i] = partBytes(list[i], endings);
    size += TypedArrayPrototypeGetLength(pieces[i]);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < pieces.length; i++) {
    TypedArrayPrototypeSet(bytes, pieces[i], at);
    at += TypedArrayPrototypeGetLength(pieces[i]);
  }
  return bytes;
}

function initializeBlob(object, bytes, type) {
  return addBlobSlots(object, { __proto__: null, bytes, type });
}

// newBlob makes a blob of bytes that nobody will change.
function newBlob(bytes, type) {
  return initializeBlob({ __proto__: Blob.prototype }, bytes, type);
}

function newFileOfBytes(bytes, type, name, lastModified) {
  const file = initializeBlob({ __proto__: File.prototype }, bytes, type);
  return addFileSlots(file, { __proto__: null, name, lastModified });
}

// newFile makes a file of the bytes that a blob has.
function newFile(blob, name, lastModified) {
  const { bytes, type } = blobSlots(blob);
  return newFileOfBytes(bytes, type, name, lastModified);
}

// readBlob returns a copy of the bytes.
function readBlob(blob, what) {
  const { bytes } = blobSlots(blob, what);
  const copy = new Uint8Array(TypedArrayPrototypeGetLength(bytes));
  TypedArrayPrototypeSet(copy, bytes);
  return copy;
}

// promiseOf returns the promise of what a function returns or throws.
function promiseOf(compute) {
  return new Promise((resolve, reject) => {
    let value;
    try {
      value = compute();
    } catch (error) {
      reject(error);
      return;
    }
    resolve(value);
  });
}

// clampIndex is a relative start or end of a slice, within the size.
function clampIndex(given, otherwise, size, what) {
  if (given === undefined) return otherwise;
  const index = toLongLong(given, what, CLAMP);
  if (index < 0) return size + index > 0 ? size + index : 0;
  return index < size ? index : size;
}

class Blob {
  constructor(blobParts = undefined, options = undefined) {
    const list = blobParts === undefined ? newList() : toBlobParts(blobParts, 'Blob: the parts');
    const bag = toBlobBag(options, 'Blob');
    initializeBlob(this, processBlobParts(list, bag.endings), contentType(bag.type));
  }

  get size() {
    return TypedArrayPrototypeGetLength(blobSlots(this, 'Blob.size').bytes);
  }

  get type() {
    return blobSlots(this, 'Blob.type').type;
  }

  slice(start = undefined, end = undefined, contentTypeGiven = undefined) {
    const { bytes } = blobSlots(this, 'Blob.slice');
    const size = TypedArrayPrototypeGetLength(bytes);
    const from = clampIndex(start, 0, size, 'Blob.slice: the start');
    const to = clampIndex(end, size, size, 'Blob.slice: the end');
    const type = contentTypeGiven === undefined ? '' : toDOMString(contentTypeGiven, 'Blob.slice: the type');
    const offset = TypedArrayPrototypeGetByteOffset(bytes);
    const part = new Uint8Array(TypedArrayPrototypeGetBuffer(bytes), offset + from, to > from ? to - from : 0);
    return newBlob(part, contentType(type));
  }

  // https://w3c.github.io/FileAPI/#blob-get-stream
  stream() {
    const { bytes } = blobSlots(this, 'Blob.stream');
    return part('streams').newStreamOfBytes(bytes);
  }

  text() {
    return promiseOf(() => {
      const { bytes } = blobSlots(this, 'Blob.text');
      const text = native(UTF8_READ, bytes, false);
      return StringPrototypeCharCodeAt(text, 0) === 0xfeff ? StringPrototypeSlice(text, 1) : text;
    });
  }

  arrayBuffer() {
    return promiseOf(() => TypedArrayPrototypeGetBuffer(readBlob(this, 'Blob.arrayBuffer')));
  }

  bytes() {
    return promiseOf(() => readBlob(this, 'Blob.bytes'));
  }
}

class File {
  constructor(fileBits, fileName, options = undefined) {
    requireArguments(arguments.length, 2, 'File');
    const list = toBlobParts(fileBits, 'File: the parts');
    const name = toUSVString(fileName, 'File: the name');
    const bag = toBlobBag(options, 'File');
    const given = bag.given === undefined ? undefined : bag.given.lastModified;
    const lastModified = given === undefined ? DateNow() : toLongLong(given, 'File: lastModified');
    initializeBlob(this, processBlobParts(list, bag.endings), contentType(bag.type));
    addFileSlots(this, { __proto__: null, name, lastModified });
  }

  get name() {
    return fileSlots(this, 'File.name').name;
  }

  get lastModified() {
    return fileSlots(this, 'File.lastModified').lastModified;
  }
}

function describeBlob(value) {
  const { bytes, type } = blobSlots(value);
  return [{ 0: 'size', 1: TypedArrayPrototypeGetLength(bytes) }, { 0: 'type', 1: type }];
}

function describeFile(value) {
  const { bytes, type } = blobSlots(value);
  const { name, lastModified } = fileSlots(value);
  return [
    { 0: 'size', 1: TypedArrayPrototypeGetLength(bytes) }, { 0: 'type', 1: type },
    { 0: 'name', 1: name }, { 0: 'lastModified', 1: lastModified },
  ];
}

defineInterface(Blob, 'Blob');
defineInterface(File, 'File');
inheritInterface(File, Blob);
// https://w3c.github.io/FileAPI/#blob-section, the (de)serialization steps
definePlatformKind(Blob, 'Blob', {
  __proto__: null, has: isBlob, describe: describeBlob,
  serialize: (value) => blobSlots(value),
  deserialize: ({ bytes, type }) => newBlob(bytes, type),
});
definePlatformKind(File, 'File', {
  __proto__: null, has: isFile, describe: describeFile,
  serialize: (value) => ({ __proto__: null, blob: value, slots: fileSlots(value) }),
  deserialize: ({ blob, slots }) => newFile(blob, slots.name, slots.lastModified),
});

exports.Blob = Blob;
exports.File = File;
exports.isBlob = isBlob;
exports.isFile = isFile;
exports.fileSlots = fileSlots;
exports.newFile = newFile;
exports.blobSlots = blobSlots;
exports.contentType = contentType;
exports.newBlob = newBlob;
exports.newFileOfBytes = newFileOfBytes;
