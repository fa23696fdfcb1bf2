// Inspection: the parts of a container and how they are laid out in lines.
// The walk is in inspect.js.

const LINE = 76; // columns
const FLAT_HEIGHT = 3; // containers of at most so many levels may share a line

// newParts returns an empty list of the parts of a container.
function newParts() {
  return { texts: newList(), count: 0, more: '', height: 0, numeric: true };
}

// addPart adds a part that was shown last, so that walk.height is its height.
function addPart(walk, parts, text) {
  parts.texts[parts.count++] = text;
  if (walk.height > parts.height) parts.height = walk.height;
}

// addMore notes how much is not shown.
function addMore(parts, count, one, many) {
  if (count > 0) parts.more = `... ${count} more ${count > 1 ? many : one}`;
}

// lengthShown returns the length of an array. A proxy may answer anything.
function lengthShown(array) {
  const length = dataOf(array, 'length');
  return typeof length === 'number' && length > 0 ? length : 0;
}

// addElements adds the elements of an array, runs of holes as one part.
function addElements(walk, parts, array) {
  const length = lengthShown(array);
  let shown = 0;
  let i = 0;
  while (i < length && shown < MAX_ELEMENTS && walk.left > 0) {
    let descriptor = ObjectGetOwnPropertyDescriptor(array, i);
    if (descriptor === undefined) {
      const from = i;
      i = nextElement(array, i, length);
      walk.height = 0;
      addPart(walk, parts, `<${i - from} empty item${i - from > 1 ? 's' : ''}>`);
      parts.numeric = false;
    } else {
      const text = inspectDescriptor(walk, descriptor);
      if (!isNumeric(descriptor)) parts.numeric = false;
      addPart(walk, parts, text);
      i++;
    }
    shown++;
  }
  addMore(parts, length - i, 'item', 'items');
}

// isNumeric asks a descriptor for its own value, because one of an accessor inherits what
// a program may have put on Object.prototype.
function isNumeric(descriptor) {
  if (!ObjectHasOwn(descriptor, 'value')) return false;
  return typeof descriptor.value === 'number' || typeof descriptor.value === 'bigint';
}

// nextElement returns the index of the first element after a hole. It asks for
// the keys when the hole is long, so that a sparse array takes no time.
function nextElement(array, from, length) {
  const near = from + 100 < length ? from + 100 : length;
  for (let i = from; i < near; i++) {
    if (ObjectHasOwn(array, i)) return i;
  }
  if (near === length) return length;
  const keys = ObjectKeys(array);
  for (let i = 0; i < keys.length; i++) {
    const index = NumberParseInt(keys[i], 10);
    if (index >= near && `${index}` === keys[i]) return index;
    if (`${index}` !== keys[i]) break;
  }
  return length;
}

// addNumbers adds the elements of a typed array, of which view is one of bytes.
function addNumbers(walk, parts, view, value) {
  const length = TypedArrayPrototypeGetLength(value);
  const shown = length < MAX_ELEMENTS ? length : MAX_ELEMENTS;
  for (let i = 0; i < shown; i++) addPart(walk, parts, inspectValue(walk, value[i]));
  addMore(parts, length - shown, 'item', 'items');
}

function addEntries(walk, parts, map) {
  const entries = MapPrototypeEntries(map);
  let shown = 0;
  for (let step = MapIteratorPrototypeNext(entries); !step.done; step = MapIteratorPrototypeNext(entries)) {
    if (shown === MAX_ELEMENTS || walk.left <= 0) {
      addMore(parts, MapPrototypeGetSize(map) - shown, 'item', 'items');
      return;
    }
    const key = inspectValue(walk, step.value[0]);
    const height = walk.height;
    const value = inspectValue(walk, step.value[1]);
    if (height > walk.height) walk.height = height;
    addPart(walk, parts, `${key} => ${value}`);
    shown++;
  }
}

function addValues(walk, parts, set) {
  const values = SetPrototypeValues(set);
  let shown = 0;
  for (let step = SetIteratorPrototypeNext(values); !step.done; step = SetIteratorPrototypeNext(values)) {
    if (shown === MAX_ELEMENTS || walk.left <= 0) {
      addMore(parts, SetPrototypeGetSize(set) - shown, 'item', 'items');
      return;
    }
    addPart(walk, parts, inspectValue(walk, step.value));
    shown++;
  }
}

const HEX = '0123456789abcdef';

// addContents adds the bytes of an ArrayBuffer.
function addContents(walk, parts, buffer) {
  const length = ArrayBufferPrototypeGetByteLength(buffer);
  let text = '<';
  try {
    const bytes = bytesOf(buffer, 'ArrayBuffer');
    for (let i = 0; i < length && i < 50; i++) {
      text += (i > 0 ? ' ' : '') + StringPrototypeSlice(HEX, bytes[i] >> 4, (bytes[i] >> 4) + 1) +
        StringPrototypeSlice(HEX, bytes[i] & 15, (bytes[i] & 15) + 1);
    }
    if (length > 50) text += ` ... ${length - 50} more byte${length > 51 ? 's' : ''}`;
    addPart(walk, parts, `[Uint8Contents]: ${text}>`);
  } catch {
    addPart(walk, parts, '(detached)');
  }
  addPart(walk, parts, `byteLength: ${length}`);
}

// inspectDescriptor shows the value of a property, or what accessors it has.
function inspectDescriptor(walk, descriptor) {
  if (ObjectHasOwn(descriptor, 'value')) return inspectValue(walk, descriptor.value);
  walk.height = 0;
  if (descriptor.get === undefined) return descriptor.set === undefined ? 'undefined' : '[Setter]';
  return descriptor.set === undefined ? '[Getter]' : '[Getter/Setter]';
}

// addProperties adds the own enumerable properties; indexed says that those
// which are array indices have been shown.
function addProperties(walk, parts, object, indexed) {
  const keys = ReflectOwnKeys(object);
  let shown = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (indexed && typeof key === 'string' && isIndex(key)) continue;
    if (shown === MAX_PROPERTIES || walk.left <= 0) {
      addMore(parts, keys.length - i, 'property', 'properties');
      return;
    }
    if (addProperty(walk, parts, object, key, false)) shown++;
  }
}

function isIndex(key) {
  const c = key === '' ? 0 : StringPrototypeCharCodeAt(key, 0);
  return c >= 48 && c <= 57 && `${NumberParseInt(key, 10)}` === key;
}

// addProperty adds one property when it is enumerable, or in brackets when
// hiddenToo asks for it all the same.
function addProperty(walk, parts, object, key, hiddenToo) {
  let descriptor;
  try {
    descriptor = ObjectGetOwnPropertyDescriptor(object, key);
  } catch {
    // An export of a module that has not been initialised.
    addPart(walk, parts, `${keyText(key)}: <uninitialized>`);
    return true;
  }
  if (descriptor === undefined || (!descriptor.enumerable && !hiddenToo)) return false;
  const name = descriptor.enumerable ? keyText(key) : `[${keyText(key)}]`;
  addPart(walk, parts, `${name}: ${inspectDescriptor(walk, descriptor)}`);
  walk.left -= name.length;
  return true;
}

// addDescription adds what the interface of a platform object tells of it, and its own
// properties but for the attribute that all instances have.
function addDescription(walk, parts, object, { describe, unforgeable }) {
  const members = describe(object);
  for (let i = 0; i < members.length && i < MAX_PROPERTIES && walk.left > 0; i++) {
    const name = keyText(members[i][0]);
    addPart(walk, parts, `${name}: ${inspectValue(walk, members[i][1])}`);
    walk.left -= name.length;
  }
  const keys = ReflectOwnKeys(object);
  for (let i = 0; i < keys.length && parts.count < MAX_PROPERTIES && walk.left > 0; i++) {
    if (keys[i] !== unforgeable) addProperty(walk, parts, object, keys[i], false);
  }
}

// addErrorProperties adds what an error has besides its name, message and stack.
function addErrorProperties(walk, parts, error) {
  const keys = ReflectOwnKeys(error);
  for (let i = 0; i < keys.length && parts.count < MAX_PROPERTIES && walk.left > 0; i++) {
    switch (keys[i]) {
      case 'name': case 'message': case 'stack': break;
      case 'cause': case 'errors': case 'error': case 'suppressed': addProperty(walk, parts, error, keys[i], true); break;
      default: addProperty(walk, parts, error, keys[i], false);
    }
  }
}

function keyText(key) {
  if (typeof key === 'symbol') return `[${inspectSymbol(key)}]`;
  // What { __proto__: … } in a program means is something else.
  if (key === '__proto__') return "['__proto__']";
  return key.length <= 100 && isIdentifierName(key) ? key : quote(cut(key, 1000));
}

// layOut puts parts between brackets: on one line when they fit and are not
// nested too deeply, short elements in columns, else one part a line.
function layOut(walk, parts, prefix, open, close) {
  const { texts, count, more } = parts;
  const indent = walk.indent - 2;
  if (count === 0 && more === '') {
    walk.height = 0; // takes no room of its own
    return `${prefix}${open}${close}`;
  }
  walk.height = parts.height + 1;
  // The brackets with their spaces, and a comma with its space between parts.
  let width = indent + prefix.length + 2 + 2 * count + (more === '' ? 0 : more.length + 2);
  let widest = 0;
  let oneLine = true; // whether each part is
  for (let i = 0; i < count; i++) {
    const length = texts[i].length;
    width += length;
    if (length > widest) widest = length;
    if (length > LINE || StringPrototypeIndexOf(texts[i], '\n') >= 0) oneLine = false;
  }
  const flat = oneLine && parts.height < FLAT_HEIGHT;
  if (flat && width <= LINE && StringPrototypeIndexOf(prefix, '\n') < 0) {
    return `${prefix}${open} ${joinParts(parts, ', ')} ${close}`;
  }
  const margin = `\n${StringPrototypeRepeat(' ', indent + 2)}`;
  const columns = open === '[' && flat && count > 6 ? columnsFor(LINE - indent - 2, widest + 2, count) : 1;
  const body = columns > 1 ? inColumns(parts, columns, widest, margin) : joinParts(parts, `,${margin}`);
  return `${prefix}${open}${margin}${body}\n${StringPrototypeRepeat(' ', indent)}${close}`;
}

function joinParts(parts, separator) {
  let out = '';
  for (let i = 0; i < parts.count; i++) out += (i > 0 ? separator : '') + parts.texts[i];
  if (parts.more !== '') out += (parts.count > 0 ? separator : '') + parts.more;
  return out;
}

// inColumns puts parts into columns, numbers to the right.
function inColumns(parts, columns, widest, margin) {
  const { texts, count, more, numeric } = parts;
  let out = '';
  for (let i = 0; i < count; i++) {
    const last = i === count - 1;
    const text = last && more === '' ? texts[i] : `${texts[i]},`;
    if (i > 0) out += i % columns === 0 ? margin : ' ';
    if (numeric) out += StringPrototypePadStart(text, text === texts[i] ? widest : widest + 1);
    else out += last || i % columns === columns - 1 ? text : StringPrototypePadEnd(text, widest + 1);
  }
  return more === '' ? out : out + margin + more;
}

// columnsFor returns how many columns of a width fit: at most 16, and few enough
// that the rows are not much shorter than there are of them.
function columnsFor(line, width, count) {
  let columns = (line - (line % width)) / width;
  if (columns > 16) columns = 16;
  while (columns > 1 && columns * columns > 4 * count) columns--;
  return columns;
}
