// atob and btoa: text whose code units are bytes, to and from base64.
// https://html.spec.whatwg.org/multipage/webappapis.html#atob
// https://infra.spec.whatwg.org/#forgiving-base64
//
// The digits and the list that characters are made from are those of base64.js, and what
// whitespace is says encoding_labels.js.

exports.btoa = (data) => {
  const text = toDOMString(data, 'btoa: the argument');
  const length = text.length;
  let out = '';
  let at = 0;
  for (let i = 0; i < length; i += 3) {
    const first = StringPrototypeCharCodeAt(text, i);
    // NaN behind the end, which is 0 in what follows.
    const second = StringPrototypeCharCodeAt(text, i + 1);
    const third = StringPrototypeCharCodeAt(text, i + 2);
    if (first > 255 || second > 255 || third > 255) {
      throw newDOMException(
        'btoa: the text has characters outside of the Latin1 range; encode it with TextEncoder first', 'InvalidCharacterError');
    }
    const group = (first << 16) | (second << 8) | third;
    base64Chunk[at] = base64Codes[group >> 18];
    base64Chunk[at + 1] = base64Codes[(group >> 12) & 63];
    base64Chunk[at + 2] = i + 1 < length ? base64Codes[(group >> 6) & 63] : 61;
    base64Chunk[at + 3] = i + 2 < length ? base64Codes[group & 63] : 61;
    at += 4;
    if (at === BASE64_CHUNK) {
      out += ReflectApply(StringFromCharCode, undefined, base64Chunk);
      at = 0;
    }
  }
  return out + charactersOf(base64Chunk, at);
};

// https://infra.spec.whatwg.org/#forgiving-base64-decode
exports.atob = (data) => {
  const text = toDOMString(data, 'atob: the argument');
  let end = text.length;
  // Padding counts only where all digits and signs, without whitespace, are whole groups.
  let units = 0;
  for (let i = 0; i < end; i++) if (!isASCIIWhitespace(StringPrototypeCharCodeAt(text, i))) units++;
  if (units % 4 === 0) {
    for (let padding = 0; padding < 2 && end > 0;) {
      const code = StringPrototypeCharCodeAt(text, end - 1);
      if (code === 61) padding++;
      else if (!isASCIIWhitespace(code)) break;
      end--;
    }
  }
  let out = '';
  let at = 0;
  let group = 0;
  let digits = 0; // in the group
  for (let i = 0; i < end; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    const digit = code < 128 ? base64Digits[code] : 255;
    if (digit === 255) {
      if (isASCIIWhitespace(code)) continue;
      throw notBase64();
    }
    group = (group << 6) | digit;
    if (++digits < 4) continue;
    if (at + 3 > BASE64_CHUNK) {
      out += charactersOf(base64Chunk, at);
      at = 0;
    }
    base64Chunk[at] = group >> 16;
    base64Chunk[at + 1] = (group >> 8) & 255;
    base64Chunk[at + 2] = group & 255;
    at += 3;
    group = 0;
    digits = 0;
  }
  out += charactersOf(base64Chunk, at);
  switch (digits) {
    case 1: throw notBase64();
    case 2: return out + StringFromCharCode(group >> 4);
    case 3: return out + StringFromCharCode(group >> 10, (group >> 2) & 255);
    default: return out;
  }
};

function notBase64() {
  return newDOMException('atob: the text is not correctly encoded base64', 'InvalidCharacterError');
}

// charactersOf returns the text of the first count code units of a list.
function charactersOf(list, count) {
  if (count === 0) return '';
  const units = newList();
  for (let i = 0; i < count; i++) units[i] = list[i];
  return ReflectApply(StringFromCharCode, undefined, units);
}
