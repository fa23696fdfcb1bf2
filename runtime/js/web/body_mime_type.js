// MIME types, as far as the headers of requests and responses need them.
// https://mimesniff.spec.whatwg.org/#understanding-mime-types
//
// A MIME type: {essence, parameters}, with a map of names and values in their order.

const QUOTE = 0x22;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;

// https://mimesniff.spec.whatwg.org/#http-quoted-string-token-code-point
function isQuotedStringToken(text) {
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code !== 9 && (code < 0x20 || code === 0x7f || code > 0xff)) return false;
  }
  return true;
}

// until returns the first index from a position on where a text has one of two code units,
// its length when there is none.
function until(text, first, second, position) {
  for (; position < text.length; position++) {
    const code = StringPrototypeCharCodeAt(text, position);
    if (code === first || code === second) return position;
  }
  return text.length;
}

// collectQuotedString returns {value, end} of the quoted string that begins at a position.
// https://fetch.spec.whatwg.org/#collect-an-http-quoted-string, with extract-value set
function collectQuotedString(input, position) {
  let value = '';
  let from = position + 1;
  for (;;) {
    const at = until(input, QUOTE, BACKSLASH, from);
    value += StringPrototypeSlice(input, from, at);
    if (at === input.length) return { __proto__: null, value, end: at };
    if (StringPrototypeCharCodeAt(input, at) === QUOTE) return { __proto__: null, value, end: at + 1 };
    if (at + 1 === input.length) return { __proto__: null, value: `${value}\\`, end: at + 1 };
    value += StringPrototypeSlice(input, at + 1, at + 2);
    from = at + 2;
  }
}

// parseMIMEType returns undefined for failure. https://mimesniff.spec.whatwg.org/#parse-a-mime-type
function parseMIMEType(text) {
  const { isToken, normalizeValue } = part('headers');
  const input = normalizeValue(text);
  const solidus = StringPrototypeIndexOf(input, '/');
  if (solidus < 0 || !isToken(StringPrototypeSlice(input, 0, solidus))) return undefined;
  let position = until(input, SEMICOLON, SEMICOLON, solidus);
  const subtype = withoutTrailingWhitespace(StringPrototypeSlice(input, solidus + 1, position));
  if (!isToken(subtype)) return undefined;
  const essence = StringPrototypeToLowerCase(`${StringPrototypeSlice(input, 0, solidus)}/${subtype}`);
  const parameters = new SafeMap();
  while (position < input.length) {
    let from = position + 1;
    while (isHTTPWhitespace(StringPrototypeCharCodeAt(input, from))) from++;
    position = until(input, SEMICOLON, EQUALS, from);
    const name = StringPrototypeToLowerCase(StringPrototypeSlice(input, from, position));
    if (StringPrototypeCharCodeAt(input, position) === SEMICOLON) continue;
    position++;
    if (position >= input.length) break;
    let value;
    if (StringPrototypeCharCodeAt(input, position) === QUOTE) {
      const quoted = collectQuotedString(input, position);
      value = quoted.value;
      position = until(input, SEMICOLON, SEMICOLON, quoted.end);
    } else {
      from = position;
      position = until(input, SEMICOLON, SEMICOLON, from);
      value = withoutTrailingWhitespace(StringPrototypeSlice(input, from, position));
      if (value === '') continue;
    }
    if (isToken(name) && isQuotedStringToken(value) && !parameters.has(name)) parameters.set(name, value);
  }
  return { __proto__: null, essence, parameters };
}

function isHTTPWhitespace(code) {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

function withoutTrailingWhitespace(text) {
  let end = text.length;
  while (end > 0 && isHTTPWhitespace(StringPrototypeCharCodeAt(text, end - 1))) end--;
  return StringPrototypeSlice(text, 0, end);
}

// https://mimesniff.spec.whatwg.org/#serialize-a-mime-type
function serializeMIMEType({ essence, parameters }) {
  const { isToken } = part('headers');
  let text = essence;
  const entries = MapPrototypeEntries(parameters);
  for (let step = MapIteratorPrototypeNext(entries); !step.done; step = MapIteratorPrototypeNext(entries)) {
    const value = step.value[1];
    text += `;${step.value[0]}=${isToken(value) ? value : quotedString(value)}`;
  }
  return text;
}

function quotedString(value) {
  let text = '"';
  let from = 0;
  for (let at = until(value, QUOTE, BACKSLASH, 0); at < value.length; at = until(value, QUOTE, BACKSLASH, at + 1)) {
    text += `${StringPrototypeSlice(value, from, at)}\\`;
    from = at;
  }
  return `${text}${StringPrototypeSlice(value, from)}"`;
}

// splitValues returns the values that a header's combined value is a list of.
// https://fetch.spec.whatwg.org/#header-value-get-decode-and-split
function splitValues(input) {
  const { normalizeValue } = part('headers');
  const values = newList();
  let from = 0;
  let position = 0;
  for (;;) {
    position = until(input, QUOTE, COMMA, position);
    if (StringPrototypeCharCodeAt(input, position) === QUOTE) {
      position = collectQuotedString(input, position).end;
      if (position < input.length) continue;
    }
    values[values.length] = normalizeValue(StringPrototypeSlice(input, from, position));
    from = ++position;
    if (position >= input.length) return values;
  }
}

// extractMIMEType returns the MIME type of a list of headers, undefined for failure.
// https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
function extractMIMEType(list) {
  const combined = part('headers').combined(list, 'content-type');
  if (combined === null) return undefined;
  const values = splitValues(combined);
  let mimeType;
  let charset;
  for (let i = 0; i < values.length; i++) {
    const next = parseMIMEType(values[i]);
    if (next === undefined || next.essence === '*/*') continue;
    const { parameters } = next;
    if (mimeType === undefined || next.essence !== mimeType.essence) charset = parameters.get('charset');
    else if (!parameters.has('charset') && charset !== undefined) parameters.set('charset', charset);
    mimeType = next;
  }
  return mimeType;
}
