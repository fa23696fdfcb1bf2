// Decoding: codec text to a value of the guest.
// The format is specified in the Go package protocol, value_codec.go.
//
// JSON.parse does the reading; a tree without the key "$" is then the value. In
// other trees the escapes are replaced in place. The host has checked the text
// before; what is wrong nevertheless is a TypeError that says what, never a
// value that was half understood.

// The containers that may be referred to, by id: a list, while decoding.
let definitions;

// decodeTree returns the value of a tree that JSON.parse has made.
function decodeTree(tree) {
  definitions = newList();
  try {
    return decodeValue(tree, 0);
  } finally {
    definitions = undefined;
  }
}

function badText(what) {
  throw new TypeError(`codec text: ${what}`);
}

// decodeValue returns the value of a part of the tree. When id is not 0, the
// part is what the definition with that id defines.
function decodeValue(node, id) {
  if (typeof node !== 'object' || node === null) return node;
  if (ArrayIsArray(node)) {
    define(id, node);
    decodeElements(node);
    return node;
  }
  if (ObjectHasOwn(node, '$')) return decodeEscape(node, id);
  define(id, node);
  decodeProperties(node);
  return node;
}

function define(id, container) {
  if (id !== 0) definitions[id] = container;
}

function decodeElements(array) {
  for (let i = 0; i < array.length; i++) {
    const node = array[i];
    if (typeof node !== 'object' || node === null) continue;
    if (!ArrayIsArray(node) && ObjectHasOwn(node, '$') && node.$ === 'hole') {
      ReflectDeleteProperty(array, i);
      continue;
    }
    const value = decodeValue(node, 0);
    if (value !== node) array[i] = value;
  }
}

// decodeProperties decodes the properties of an object. All are its own, so
// assigning one never reaches a setter; that is also true of "__proto__".
function decodeProperties(object) {
  const keys = ObjectKeys(object);
  for (let i = 0; i < keys.length; i++) {
    const node = object[keys[i]];
    if (typeof node !== 'object' || node === null) continue;
    const value = decodeValue(node, 0);
    if (value !== node) object[keys[i]] = value;
  }
}

// member returns a member of an escape, which must be there.
function member(node, name) {
  if (!ObjectHasOwn(node, name)) badText(`an escape without ${name}`);
  return node[name];
}

// list returns a member of an escape that must be an array.
function listMember(node, name) {
  const value = member(node, name);
  if (!ArrayIsArray(value)) badText(`${name} is no array`);
  return value;
}

// text returns a member of an escape that must be a string.
function textMember(node, name) {
  const value = member(node, name);
  if (typeof value !== 'string') badText(`${name} is no string`);
  return value;
}

function decodeEscape(node, id) {
  const kind = node.$;
  switch (kind) {
    case 'undefined': return undefined;
    case 'number': return decodeNumber(textMember(node, 'v'));
    case 'bigint': return BigInt(textMember(node, 'v'));
    case 'date': {
      const time = member(node, 'v');
      const date = new Date(typeof time === 'number' ? time : NaN);
      define(id, date);
      return date;
    }
    case 'regexp': {
      const expression = new RegExp(textMember(node, 'source'), textMember(node, 'flags'));
      define(id, expression);
      return expression;
    }
    case 'url': {
      const { fromHref } = part('url');
      const url = fromHref(textMember(node, 'v'));
      if (url === null) badText(`${JSONStringify(cut(node.v, 200))} is no absolute URL`);
      define(id, url);
      return url;
    }
    case 'bytes': {
      const bytes = decodeBytes(textMember(node, 'type'), textMember(node, 'v'));
      define(id, bytes);
      return bytes;
    }
    case 'map': return decodeMap(listMember(node, 'v'), id);
    case 'set': return decodeSet(listMember(node, 'v'), id);
    case 'error': return decodeError(node, id);
    case 'object': {
      const object = member(node, 'v');
      if (typeof object !== 'object' || object === null || ArrayIsArray(object)) badText('v is no object');
      define(id, object);
      decodeProperties(object);
      return object;
    }
    case 'def': {
      const own = member(node, 'id');
      if (own !== (definitions.length || 1)) badText('definitions out of order');
      definitions[0] = undefined; // ids count from 1
      definitions[own] = undefined;
      return decodeValue(member(node, 'v'), own);
    }
    case 'ref': {
      const target = member(node, 'id');
      if (typeof target !== 'number' || definitions[target] === undefined) badText('a reference to nothing');
      return definitions[target];
    }
    default: return badText('an escape of an unknown kind');
  }
}

function decodeNumber(text) {
  switch (text) {
    case 'NaN': return NaN;
    case 'Infinity': return Infinity;
    case '-Infinity': return -Infinity;
    case '-0': return -0;
    default: return badText('a number of an unknown kind');
  }
}

function decodeMap(entries, id) {
  const map = new Map();
  define(id, map);
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i];
    if (!ArrayIsArray(entry) || entry.length !== 2) badText('an entry that is no pair');
    const key = decodeValue(entry[0], 0);
    MapPrototypeSet(map, key, decodeValue(entry[1], 0));
  }
  return map;
}

function decodeSet(values, id) {
  const set = new Set();
  define(id, set);
  for (let i = 0; i < values.length; i++) SetPrototypeAdd(set, decodeValue(values[i], 0));
  return set;
}
