// Inspection: any value as text for people, in the manner known from Node.
// https://nodejs.org/api/util.html#utilinspectobject-options
// https://console.spec.whatwg.org/#printer ("optimally useful formatting")
//
// Looking runs none of the guest's code: properties are read through their
// descriptors, so that getters show as [Getter] and are not called, and a proxy
// sees only the traps for its prototype, its keys and their descriptors. Depth,
// length and total size are bounded. Different from Node: five levels are shown
// rather than three, and what only the engine could tell (a promise's state, that
// something is a proxy) is not shown.
//
// This file owns the walk and the leaves; inspect_objects.js the kinds of object,
// inspect_layout.js how parts are put together.

const INSPECT_DEPTH = 4;
const MAX_ELEMENTS = 100; // of an array, map or set
const MAX_PROPERTIES = 200;
const MAX_STRING = 10000; // within an object
const MAX_INSPECT = 100000; // code units in all, roughly

// inspect returns the text for a value. depth says how many containers may be
// around something that is still shown.
function inspect(value, depth = INSPECT_DEPTH) {
  const walk = {
    maxDepth: depth,
    left: MAX_INSPECT, // code units that may still be used
    around: newList(), // the objects that are being shown
    level: 0, // how many they are
    circular: new SafeMap(), // numbers of those that were met within themselves
    indent: 0, // columns in front of the current line
    height: 0, // levels of containers within what was shown last
  };
  return inspectValue(walk, value);
}

function inspectValue(walk, value) {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  if (isObject) return inspectObject(walk, value);
  walk.height = 0;
  const text = inspectPrimitive(value);
  walk.left -= text.length;
  return text;
}

function inspectPrimitive(value) {
  switch (typeof value) {
    case 'string': return inspectString(value);
    case 'number': return value === 0 && 1 / value < 0 ? '-0' : `${value}`;
    case 'bigint': return `${cut(`${value}`, MAX_STRING)}n`;
    case 'symbol': return inspectSymbol(value);
    default: return `${value}`;
  }
}

function inspectSymbol(value) {
  const description = SymbolPrototypeGetDescription(value);
  return `Symbol(${description === undefined ? '' : cut(description, MAX_STRING)})`;
}

function inspectString(value) {
  if (value.length <= MAX_STRING) return quote(value);
  const more = value.length - MAX_STRING;
  return `${quote(StringPrototypeSlice(value, 0, MAX_STRING))}... ${more} more character${more > 1 ? 's' : ''}`;
}

// quote returns a string as a literal, in the quotes that need the fewest escapes.
function quote(value) {
  const json = JSONStringify(value);
  const inner = StringPrototypeSlice(json, 1, json.length - 1);
  const hasSingle = StringPrototypeIndexOf(value, "'") >= 0;
  if (!hasSingle && StringPrototypeIndexOf(inner, '\\') < 0) return `'${inner}'`;
  let mark = "'";
  if (hasSingle) {
    if (StringPrototypeIndexOf(value, '"') < 0) mark = '"';
    else if (StringPrototypeIndexOf(value, '`') < 0 && StringPrototypeIndexOf(value, '${') < 0) mark = '`';
  }
  let out = mark;
  for (let i = 0; i < inner.length; i++) {
    const c = StringPrototypeSlice(inner, i, i + 1);
    if (c === '\\') {
      const next = StringPrototypeSlice(inner, i + 1, i + 2);
      i++;
      if (next === '"') {
        out += mark === '"' ? '\\"' : '"';
      } else if (next === 'u') {
        out += unicodeEscape(StringPrototypeSlice(inner, i + 1, i + 5));
        i += 4;
      } else {
        out += `\\${next}`;
      }
    } else {
      out += c === mark ? `\\${c}` : c;
    }
  }
  return out + mark;
}

// unicodeEscape returns an escape of four hexadecimal digits, shorter when it can be.
function unicodeEscape(digits) {
  let upper = '';
  for (let i = 0; i < 4; i++) {
    const c = StringPrototypeCharCodeAt(digits, i);
    upper += StringFromCharCode(c >= 97 ? c - 32 : c);
  }
  return StringPrototypeStartsWith(digits, '00') ? `\\x${StringPrototypeSlice(upper, 2)}` : `\\u${upper}`;
}

// inspectObject shows an object or function, or says that it is shown around here.
function inspectObject(walk, value) {
  for (let i = 0; i < walk.level; i++) {
    if (walk.around[i] === value) {
      let number = walk.circular.get(value);
      if (number === undefined) {
        number = walk.circular.size + 1;
        walk.circular.set(value, number);
      }
      walk.height = 0;
      return `[Circular *${number}]`;
    }
  }
  const level = walk.level;
  const indent = walk.indent;
  walk.around[level] = value;
  walk.level = level + 1;
  let text;
  try {
    text = inspectKind(walk, value, level > walk.maxDepth);
  } catch {
    // A proxy's trap threw, or it was revoked.
    text = '<an object that cannot be shown>';
    walk.height = 1;
  }
  walk.level = level;
  walk.indent = indent;
  walk.around[level] = undefined;
  const number = walk.circular.get(value);
  return number === undefined ? text : `<ref *${number}> ${text}`;
}

// inheritedText returns the text that key has in the prototype chain of an
// object, from the object itself when own is set; undefined when that is no data
// property or no text.
function inheritedText(object, key, own) {
  let link = own ? object : ReflectGetPrototypeOf(object);
  for (let i = 0; i < MAX_CHAIN && link !== null; i++) {
    if (ObjectHasOwn(link, key)) {
      const value = dataOf(link, key);
      return typeof value === 'string' ? value : undefined;
    }
    link = ReflectGetPrototypeOf(link);
  }
  return undefined;
}

// classNameOf returns the name of the class of an object, null when it has no
// prototype.
function classNameOf(object) {
  let link = ReflectGetPrototypeOf(object);
  if (link === null) return null;
  for (let i = 0; i < MAX_CHAIN && link !== null; i++) {
    const constructor = dataOf(link, 'constructor');
    if (typeof constructor === 'function' && dataOf(constructor, 'prototype') === link) {
      const name = dataOf(constructor, 'name');
      if (typeof name === 'string' && name !== '') return cut(name, 100);
    }
    link = ReflectGetPrototypeOf(link);
  }
  return null;
}

// tagOf returns the Symbol.toStringTag of an object, '' when there is none, when
// it is an accessor, or when it shows among the properties anyway.
function tagOf(object) {
  const own = ObjectGetOwnPropertyDescriptor(object, SymbolToStringTag);
  if (own !== undefined && own.enumerable) return '';
  return cut(inheritedText(object, SymbolToStringTag, true) ?? '', 100);
}

// isIdentifierName reports whether a key is an identifier of ASCII characters.
function isIdentifierName(key) {
  for (let i = 0; i < key.length; i++) {
    const c = StringPrototypeCharCodeAt(key, i);
    const letter = (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c === 36;
    if (!letter && (i === 0 || c < 48 || c > 57)) return false;
  }
  return key !== '';
}
