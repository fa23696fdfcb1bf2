// multipart/form-data: bytes as the entries of a form. RFC 7578, and what Fetch adds to it.
// https://fetch.spec.whatwg.org/#dom-body-formdata
//
// Nothing is in front of the first boundary but line breaks; what is behind the last one is ignored.
// The parser looks at no byte more than a few times: a search for the next boundary compares
// from line breaks on only, of which a boundary has none.

const CR = 13;
const LF = 10;
const HYPHEN = 45;
const TAB = 9;
const SPACE = 32;

function multipartError(what) {
  return new TypeError(`the body is not multipart/form-data: ${what}`);
}

// parseMultipart returns a list of entries {0: name, 1: a text or a file}.
function parseMultipart(bytes, boundary) {
  if (boundary === undefined || boundary === '') throw multipartError('its type has no boundary');
  const delimiter = utf8Encode(`\r\n--${boundary}`);
  const width = TypedArrayPrototypeGetLength(delimiter);
  const entries = newList();
  // The first delimiter need not have its line break.
  let at = -2;
  while (isLineBreak(bytes, at + 2)) at += 2;
  if (!startsWith(bytes, delimiter, at, 2)) throw multipartError('it does not begin with the boundary');
  for (;;) {
    at += width;
    if (bytes[at] === HYPHEN && bytes[at + 1] === HYPHEN) return entries;
    at = skipBlanks(bytes, at);
    if (!isLineBreak(bytes, at)) throw multipartError('a boundary is not at the end of its line');
    const end = endOfHead(bytes, at);
    const head = parseHead(native(UTF8_READ, viewOf(bytes, at + 2, end), false));
    const next = findDelimiter(bytes, delimiter, end + 2);
    if (next < 0) throw multipartError('its last boundary is missing');
    // A delimiter right behind the empty line shares its line break.
    entries[entries.length] = newEntry(head, viewOf(bytes, end + 4, next > end + 4 ? next : end + 4));
    at = next;
  }
}

function viewOf(bytes, from, to) {
  return new Uint8Array(TypedArrayPrototypeGetBuffer(bytes), TypedArrayPrototypeGetByteOffset(bytes) + from, to > from ? to - from : 0);
}

function isLineBreak(bytes, at) {
  return bytes[at] === CR && bytes[at + 1] === LF;
}

function skipBlanks(bytes, at) {
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  return at;
}

// startsWith compares from an index of the pattern on; at is where the whole pattern would begin.
function startsWith(bytes, pattern, at, from) {
  const length = TypedArrayPrototypeGetLength(pattern);
  for (let i = from; i < length; i++) if (bytes[at + i] !== pattern[i]) return false;
  return true;
}

function findDelimiter(bytes, delimiter, from) {
  for (let at = TypedArrayPrototypeIndexOf(bytes, CR, from); at >= 0; at = TypedArrayPrototypeIndexOf(bytes, CR, at + 1)) {
    if (startsWith(bytes, delimiter, at, 1)) return at;
  }
  return -1;
}

// endOfHead returns where the line break in front of the empty line is that ends the headers
// behind the line break at an index.
function endOfHead(bytes, from) {
  for (let at = from; at >= 0; at = TypedArrayPrototypeIndexOf(bytes, CR, at + 1)) {
    if (isLineBreak(bytes, at) && isLineBreak(bytes, at + 2)) return at;
  }
  throw multipartError('a part has no empty line behind its headers');
}

// parseHead returns {name, fileName, type} of the headers of a part; fileName and type may be undefined.
function parseHead(text) {
  const { isToken } = part('headers');
  const head = { __proto__: null, name: undefined, fileName: undefined, type: undefined };
  for (let from = 0; from < text.length;) {
    let end = StringPrototypeIndexOf(text, '\r\n', from);
    if (end < 0) end = text.length;
    const line = StringPrototypeSlice(text, from, end);
    from = end + 2;
    const colon = StringPrototypeIndexOf(line, ':');
    const name = colon < 0 ? '' : trimBlanks(StringPrototypeSlice(line, 0, colon));
    if (!isToken(name)) throw multipartError(`a part has the line ${JSONStringify(cut(line, 100))}, which is no header`);
    const value = trimBlanks(StringPrototypeSlice(line, colon + 1));
    switch (StringPrototypeToLowerCase(name)) {
      case 'content-disposition': parseDisposition(value, head); break;
      case 'content-type': head.type = value; break;
    }
  }
  if (head.name === undefined) throw multipartError('a part has no name');
  return head;
}

function isBlank(text, at) {
  const code = StringPrototypeCharCodeAt(text, at);
  return code === SPACE || code === TAB;
}

function trimBlanks(text) {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text, from)) from++;
  while (to > from && isBlank(text, to - 1)) to--;
  return StringPrototypeSlice(text, from, to);
}

// parseDisposition reads form-data; name=…; filename=…, in any order, quoted or not.
function parseDisposition(text, head) {
  head.name = head.fileName = undefined;
  let at = until(text, SEMICOLON, SEMICOLON, 0);
  const isFormData = StringPrototypeToLowerCase(trimBlanks(StringPrototypeSlice(text, 0, at))) === 'form-data';
  if (!isFormData) throw multipartError('a part is not form-data');
  while (at < text.length) {
    const equals = until(text, EQUALS, SEMICOLON, at + 1);
    const name = StringPrototypeToLowerCase(trimBlanks(StringPrototypeSlice(text, at + 1, equals)));
    if (StringPrototypeCharCodeAt(text, equals) !== EQUALS) {
      if (name !== '') throw multipartError('a parameter of a part has no value');
      at = equals;
      continue;
    }
    let start = equals + 1;
    while (isBlank(text, start)) start++;
    let value;
    if (StringPrototypeCharCodeAt(text, start) === QUOTE) {
      const quote = StringPrototypeIndexOf(text, '"', start + 1);
      if (quote < 0) throw multipartError('a quoted name does not end');
      value = unescapeName(StringPrototypeSlice(text, start + 1, quote));
      at = until(text, SEMICOLON, SEMICOLON, quote + 1);
      if (trimBlanks(StringPrototypeSlice(text, quote + 1, at)) !== '') throw multipartError('something is behind a quoted name');
    } else {
      at = until(text, SEMICOLON, SEMICOLON, start);
      value = trimBlanks(StringPrototypeSlice(text, start, at));
    }
    if (name === 'name') head.name = value;
    else if (name === 'filename') head.fileName = value;
  }
}

function unescapeName(text) {
  return replaceAll(replaceAll(replaceAll(text, '%0A', '\n'), '%0D', '\r'), '%22', '"');
}

function newEntry({ name, fileName, type }, bytes) {
  if (fileName === undefined) return { 0: name, 1: native(UTF8_READ, bytes, false) };
  const { contentType, newFileOfBytes } = part('blob');
  return { 0: name, 1: newFileOfBytes(bytes, contentType(type === undefined ? 'text/plain' : type), fileName, DateNow()) };
}
