// Encoding: a guest's value to codec text, in one walk.
// The format is specified in the Go package protocol, value_codec.go.
//
// The walk builds the text as it goes, so that every getter, toJSON and proxy
// trap runs once and in the order of the text. It counts code units, depth and
// nodes on the way and stops at the first bound that is passed. An object that
// is met again becomes a reference; codec_references.js then writes the ids in.
//
// What is what: plain objects, arrays and instances of classes are encoded by
// their own enumerable string-keyed properties, after toJSON as JSON.stringify
// would call it (ECMA-262, 25.5.2.2). The kinds with an escape form keep it, and
// toJSON is not asked. Nothing is left out silently: a function anywhere makes
// the whole value unserializable.

// Thrown through the walk when encodeFailure says why it stopped. Guest code is
// never on the stack in between.
const STOP = ObjectFreeze({ __proto__: null });

// Text is made flat in pieces of about this many code units, so that the string
// under construction does not keep one node for every small piece.
const ENCODE_CHUNK = 16384;

// The walk in progress. These are variables, not fields of an object, because
// in the interpreter they are much cheaper. A getter can start a walk within a
// walk: encode() puts back what it found.
let encodeText; // since the last flush
let encodeDone; // up to the last flush
let encodeBase; // length of encodeDone
let encodeLimit;
let encodeNodes;
let encodeDepth; // of the container being encoded
let encodeKeys; // list: the key of the current child, for each open container
let encodeKinds; // list: the kind of each open container
let encodeSeen; // SafeMap from object to its index
let encodeStarts; // list: where each object's text starts
let encodeEnds; // list: where it ends
let encodeReferences; // list: pairs of offset and index of the object referred to
let encodeFailure; // why the walk stopped

// encode returns the codec text of value, or, when there is none, a record:
//   {kind: 'too_large', actual}             the text has more than limit code units
//   {kind: 'unserializable', what, path, error}   error is what guest code threw, if it did
//
// The walk is exchanged without a call in between: a call may fail when the stack
// runs out, and would leave the outer walk half replaced.
function encode(value, limit) {
  const keys = newList();
  const kinds = newList();
  const seen = new SafeMap();
  const starts = newList();
  const ends = newList();
  const references = newList();
  const outer = {
    text: encodeText, done: encodeDone, base: encodeBase, limit: encodeLimit, nodes: encodeNodes, depth: encodeDepth,
    keys: encodeKeys, kinds: encodeKinds, seen: encodeSeen, starts: encodeStarts, ends: encodeEnds,
    references: encodeReferences,
  };
  encodeText = encodeDone = '';
  encodeBase = encodeDepth = 0;
  encodeNodes = 1;
  encodeLimit = limit;
  encodeKeys = keys;
  encodeKinds = kinds;
  encodeSeen = seen;
  encodeStarts = starts;
  encodeEnds = ends;
  encodeReferences = references;
  try {
    encodeValue(value, 0);
    flushText();
    return references.length === 0 ? encodeDone : part('encoding_kinds').insertReferences();
  } catch (error) {
    if (error === STOP) return encodeFailure;
    // Only a getter or a proxy's trap can throw anything else, or the stack ran out.
    return { kind: 'unserializable', what: 'getter that throws', path: part('encoding_kinds').pathText(encodeDepth), error };
  } finally {
    encodeText = outer.text;
    encodeDone = outer.done;
    encodeBase = outer.base;
    encodeLimit = outer.limit;
    encodeNodes = outer.nodes;
    encodeDepth = outer.depth;
    encodeKeys = outer.keys;
    encodeKinds = outer.kinds;
    encodeSeen = outer.seen;
    encodeStarts = outer.starts;
    encodeEnds = outer.ends;
    encodeReferences = outer.references;
    encodeFailure = undefined;
  }
}

// unserializable stops the walk at the child being encoded of the container at depth.
function unserializable(what, depth) {
  encodeFailure = { kind: 'unserializable', what, path: part('encoding_kinds').pathText(depth), error: undefined };
  throw STOP;
}

// tooLarge stops the walk because the text has at least actual code units.
function tooLarge(actual) {
  encodeFailure = { kind: 'too_large', actual };
  throw STOP;
}

// flushText moves what was built to the finished text and checks the bound.
function flushText() {
  // Asking for a character makes V8 copy the pieces into one flat string.
  if (encodeText.length > 0) StringPrototypeCharCodeAt(encodeText, 0);
  encodeDone += encodeText;
  encodeBase += encodeText.length;
  encodeText = '';
  if (encodeBase > encodeLimit) tooLarge(encodeBase);
}

// countNodes counts the children of a container, each of which needs at least
// two code units of text.
function countNodes(count, depth) {
  const least = encodeBase + encodeText.length + 2 * count + 1;
  if (least > encodeLimit) tooLarge(least);
  encodeNodes += count;
  if (encodeNodes > limits.nodes) unserializable(`value of more than ${limits.nodes} nodes`, depth);
}

// encodeValue adds the text of a value that has depth containers around it.
function encodeValue(value, depth) {
  switch (typeof value) {
    case 'string':
      encodeString(value);
      return;
    case 'number':
      if (value - value === 0 && (value !== 0 || 1 / value > 0)) encodeText += value;
      else encodeText += `{"$":"number","v":"${value === 0 ? '-0' : value}"}`;
      return;
    case 'boolean':
      encodeText += value ? 'true' : 'false';
      return;
    case 'object':
      if (value === null) encodeText += 'null';
      else encodeObject(value, depth, false);
      return;
    case 'undefined':
      encodeText += '{"$":"undefined"}';
      return;
    case 'bigint':
      encodeText += `{"$":"bigint","v":"${value}"}`;
      return;
    default:
      unserializable(typeof value, depth);
  }
}

function encodeString(value) {
  if (value.length > ENCODE_CHUNK && encodeBase + encodeText.length + value.length > encodeLimit) {
    tooLarge(encodeBase + encodeText.length + value.length);
  }
  encodeText += JSONStringify(value);
}

// encodeObject adds the text of an object. final says that it is what toJSON
// returned, which is not asked again.
function encodeObject(value, depth, final) {
  const index = encodeSeen.get(value);
  if (index !== undefined) {
    encodeText += '{"$":"ref","id":';
    const at = encodeReferences.length;
    encodeReferences[at] = encodeBase + encodeText.length;
    encodeReferences[at + 1] = index;
    encodeText += '}';
    return;
  }
  encodeDepth = depth;
  let brand;
  try {
    const prototype = ReflectGetPrototypeOf(value);
    // The common case, without a walk along the chain.
    if (ArrayIsArray(value)) brand = 'Array';
    else if (prototype === ObjectPrototype || prototype === null) brand = 'Object';
    else brand = part('brands').brandOf(value);
  } catch {
    unserializable('proxy that throws', depth);
  }
  if (!final && (brand === 'Object' || brand === 'Array')) {
    const toJSON = value.toJSON;
    if (typeof toJSON === 'function') {
      let replaced;
      try {
        replaced = ReflectApply(toJSON, value, [part('encoding_kinds').keyOf(depth)]);
      } catch (error) {
        encodeFailure = { kind: 'unserializable', what: 'toJSON that throws', path: part('encoding_kinds').pathText(depth), error };
        throw STOP;
      }
      encodeDepth = depth;
      if (typeof replaced === 'object' && replaced !== null) encodeObject(replaced, depth, true);
      else encodeValue(replaced, depth);
      return;
    }
  }
  encodeBranded(value, brand, depth);
}

// encodeBranded adds the text of an object that was not met before.
function encodeBranded(value, brand, depth) {
  switch (brand) {
    case 'Number': encodeValue(NumberPrototypeValueOf(value), depth); return;
    case 'String': encodeValue(StringPrototypeValueOf(value), depth); return;
    case 'Boolean': encodeValue(BooleanPrototypeValueOf(value), depth); return;
    case 'BigInt': encodeValue(BigIntPrototypeValueOf(value), depth); return;
  }
  const index = encodeStarts.length;
  encodeSeen.set(value, index);
  encodeStarts[index] = encodeBase + encodeText.length;
  encodeEnds[index] = 0;
  switch (brand) {
    case 'Object':
      openContainer('Object', depth);
      encodeProperties(value, depth);
      break;
    case 'Array':
      openContainer('Array', depth);
      encodeElements(value, depth);
      break;
    case 'Map':
      openContainer('Map', depth);
      part('encoding_kinds').encodeMap(value, depth);
      break;
    case 'Set':
      openContainer('Set', depth);
      part('encoding_kinds').encodeSet(value, depth);
      break;
    case 'Error':
      openContainer('Error', depth);
      part('encoding_kinds').encodeError(value, depth);
      break;
    case 'Date': {
      const time = DatePrototypeGetTime(value);
      encodeText += `{"$":"date","v":${time === time ? time : 'null'}}`;
      break;
    }
    case 'RegExp':
      encodeText += '{"$":"regexp","source":';
      encodeString(RegExpPrototypeGetSource(value));
      encodeText += `,"flags":"${part('brands').flagsOf(value)}"}`;
      break;
    case 'URL': {
      const { hrefOf } = part('url');
      encodeText += '{"$":"url","v":';
      encodeString(hrefOf(value));
      encodeText += '}';
      break;
    }
    case 'TypedArray':
    case 'DataView':
    case 'ArrayBuffer':
      part('encoding_kinds').encodeBytes(value, brand, depth);
      break;
    case 'Symbol':
      unserializable('symbol', depth);
      break;
    case 'Iterator':
    case 'AsyncIterator':
      unserializable('iterator', depth);
      break;
    default:
      unserializable(brand, depth);
  }
  encodeEnds[index] = encodeBase + encodeText.length;
  encodeDepth = depth;
}

// openContainer starts a container that has depth containers around it.
function openContainer(kind, depth) {
  //gate:protects unserializable-typed
  if (depth >= limits.depth) unserializable(`value nested deeper than ${limits.depth}`, depth);
  encodeKinds[depth] = kind;
  encodeKeys[depth] = undefined;
  encodeDepth = depth + 1;
}

// Keys come again and again: their quoted form with its comma and colon is kept.
const MAX_KEPT_KEYS = 1024;
const keptKeys = new SafeMap(); // ,"key":
const keptFirstKeys = new SafeMap(); // {"key":

function quoteKey(key, first) {
  const kept = first ? keptFirstKeys : keptKeys;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (key.length > ENCODE_CHUNK && encodeBase + encodeText.length + key.length > encodeLimit) {
    tooLarge(encodeBase + encodeText.length + key.length);
  }
  const text = (first ? '{' : ',') + JSONStringify(key) + ':';
  if (key.length <= 64 && kept.size < MAX_KEPT_KEYS) kept.set(key, text);
  return text;
}

function encodeProperties(object, depth) {
  let keys;
  try {
    keys = ObjectKeys(object);
  } catch {
    unserializable('proxy that throws', depth);
  }
  const count = keys.length;
  if (count === 0) {
    encodeText += '{}';
    return;
  }
  countNodes(count, depth);
  const escaped = hasDollar(keys);
  if (escaped) encodeText += '{"$":"object","v":';
  for (let i = 0; i < count; i++) {
    const key = keys[i];
    encodeKeys[depth] = key;
    const value = object[key];
    encodeText += quoteKey(key, i === 0);
    encodeValue(value, depth + 1);
    if (encodeText.length > ENCODE_CHUNK) flushText();
  }
  encodeText += escaped ? '}}' : '}';
}

// hasDollar reports whether "$" is among the keys of an object.
function hasDollar(keys) {
  for (let i = 0; i < keys.length; i++) {
    //gate:protects codec-forgery
    if (keys[i] === '$') return true;
  }
  return false;
}
