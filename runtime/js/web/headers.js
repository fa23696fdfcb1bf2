// Headers. https://fetch.spec.whatwg.org/#headers-class
//
// Of the guards there are "none" and "immutable". The others keep the names of a browser's own headers from
// pages, and here no name is forbidden: nothing is sent, and programs make messages for others to send.

const { add: addHeadersSlots, has: isHeaders, of: headersSlots } = newSlots('Headers');

// isToken reports whether a text is a token of HTTP (RFC 9110, section 5.6.2).
function isToken(text) {
  for (let i = 0; i < text.length; i++) {
    const unit = StringPrototypeCharCodeAt(text, i);
    const isAlphanumeric = (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
    if (!isAlphanumeric && (unit > 126 || StringPrototypeIndexOf("!#$%&'*+-.^_`|~", text[i]) < 0)) return false;
  }
  return text !== '';
}

// headerName converts and checks a name, and returns it in lower case.
function headerName(name, what) {
  const text = toByteString(name, `${what}: the name`);
  if (!isToken(text)) throw new TypeError(`${what}: ${JSONStringify(cut(text, 64))} is no name of a header`);
  return StringPrototypeToLowerCase(text);
}

function isHTTPWhitespace(unit) {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}

// https://fetch.spec.whatwg.org/#concept-header-value-normalize
function normalizeValue(text) {
  let from = 0;
  let to = text.length;
  while (from < to && isHTTPWhitespace(StringPrototypeCharCodeAt(text, from))) from++;
  while (to > from && isHTTPWhitespace(StringPrototypeCharCodeAt(text, to - 1))) to--;
  return StringPrototypeSlice(text, from, to);
}

// headerValue converts, normalizes and checks a value.
function headerValue(value, what) {
  const text = normalizeValue(toByteString(value, `${what}: the value`));
  for (let i = 0; i < text.length; i++) {
    const unit = StringPrototypeCharCodeAt(text, i);
    if (unit === 0 || unit === 10 || unit === 13) {
      throw new TypeError(`${what}: the value has a line break or a zero, which no header can have`);
    }
  }
  return text;
}

// toHeadersInit converts to HeadersInit: a list of pairs, whose lengths were not looked at.
function toHeadersInit(init, what) {
  if (!isObject(init)) throw new TypeError(`${what}: the headers are neither a list of pairs nor an object`);
  const method = init[SymbolIterator];
  if (method === undefined || method === null) return toRecord(init, what, toByteString, toByteString);
  return sequenceFrom(init, method, what, (item, which) => toSequence(item, which, toByteString));
}

// https://fetch.spec.whatwg.org/#concept-headers-fill
function fillHeaders(list, pairs, what) {
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i];
    if (ArrayIsArray(pair) && pair.length !== 2) {
      throw new TypeError(`${what}: element ${i} has ${pair.length} values; it must have a name and a value`);
    }
    list[list.length] = pairOf(pair[0], pair[1], what);
  }
}

// combined returns the value of a header, null when there is none.
// https://fetch.spec.whatwg.org/#concept-header-list-get
function combined(list, name) {
  let value = null;
  for (let i = 0; i < list.length; i++) {
    if (list[i][0] === name) value = value === null ? list[i][1] : `${value}, ${list[i][1]}`;
  }
  return value;
}

// https://fetch.spec.whatwg.org/#concept-header-list-sort-and-combine
function sortAndCombine(list) {
  const sorted = newList();
  for (let i = 0; i < list.length; i++) sorted[i] = list[i];
  ArrayPrototypeSort(sorted, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  const pairs = newList();
  for (let i = 0; i < sorted.length; i++) {
    const last = pairs.length - 1;
    const name = sorted[i][0];
    if (last >= 0 && pairs[last][0] === name && name !== 'set-cookie') {
      pairs[last] = { 0: name, 1: `${pairs[last][1]}, ${sorted[i][1]}` };
    } else {
      pairs[last + 1] = sorted[i];
    }
  }
  return pairs;
}

// withoutHeader returns the list without the headers of a name.
function withoutHeader(list, name) {
  const rest = newList();
  for (let i = 0; i < list.length; i++) if (list[i][0] !== name) rest[rest.length] = list[i];
  return rest;
}

class Headers {
  constructor(init = undefined) {
    const list = newList();
    if (init !== undefined) fillHeaders(list, toHeadersInit(init, 'Headers'), 'Headers');
    addHeadersSlots(this, { __proto__: null, list, guard: 'none' });
  }

  append(name, value) {
    const slots = headersSlots(this, 'Headers.append');
    requireArguments(arguments.length, 2, 'Headers.append');
    const pair = pairOf(name, value, 'Headers.append');
    requireMutable(slots, 'Headers.append');
    // Only now, because the conversions may have run code that changed it.
    const { list } = slots;
    list[list.length] = pair;
  }

  delete(name) {
    const slots = headersSlots(this, 'Headers.delete');
    requireArguments(arguments.length, 1, 'Headers.delete');
    const key = headerName(name, 'Headers.delete');
    requireMutable(slots, 'Headers.delete');
    slots.list = withoutHeader(slots.list, key);
  }

  get(name) {
    const slots = headersSlots(this, 'Headers.get');
    requireArguments(arguments.length, 1, 'Headers.get');
    const key = headerName(name, 'Headers.get');
    return combined(slots.list, key);
  }

  getSetCookie() {
    const { list } = headersSlots(this, 'Headers.getSetCookie');
    const values = newList();
    for (let i = 0; i < list.length; i++) if (list[i][0] === 'set-cookie') values[values.length] = list[i][1];
    return ObjectSetPrototypeOf(values, ArrayPrototype);
  }

  has(name) {
    const slots = headersSlots(this, 'Headers.has');
    requireArguments(arguments.length, 1, 'Headers.has');
    const key = headerName(name, 'Headers.has');
    return combined(slots.list, key) !== null;
  }

  set(name, value) {
    const slots = headersSlots(this, 'Headers.set');
    requireArguments(arguments.length, 2, 'Headers.set');
    const pair = pairOf(name, value, 'Headers.set');
    requireMutable(slots, 'Headers.set');
    const { list } = slots;
    // The first of the name keeps its place; the others go.
    const rest = newList();
    let placed = false;
    for (let i = 0; i < list.length; i++) {
      if (list[i][0] !== pair[0]) rest[rest.length] = list[i];
      else if (!placed) rest[rest.length] = pair;
      if (list[i][0] === pair[0]) placed = true;
    }
    if (!placed) rest[rest.length] = pair;
    slots.list = rest;
  }
}

function requireMutable({ guard }, what) {
  if (guard === 'immutable') throw new TypeError(`${what}: these headers cannot be changed`);
}

// newHeaders makes headers of a list of pairs, which it has for itself.
function newHeaders(list, guard) {
  return addHeadersSlots({ __proto__: Headers.prototype }, { __proto__: null, list, guard });
}

// pairOf converts both arguments before it checks either.
function pairOf(name, value, what) {
  const nameText = toByteString(name, `${what}: the name`);
  const valueText = toByteString(value, `${what}: the value`);
  return { 0: headerName(nameText, what), 1: headerValue(valueText, what) };
}

definePairIterable(Headers, 'Headers', (value, what) => sortAndCombine(headersSlots(value, what).list));
defineInterface(Headers, 'Headers');
definePlatformKind(Headers, 'Headers', {
  __proto__: null, has: isHeaders, describe: (value) => sortAndCombine(headersSlots(value).list),
});

exports.Headers = Headers;
exports.combined = combined;
exports.fillHeaders = fillHeaders;
exports.headersSlots = headersSlots;
exports.isToken = isToken;
exports.newHeaders = newHeaders;
exports.normalizeValue = normalizeValue;
exports.toHeadersInit = toHeadersInit;
