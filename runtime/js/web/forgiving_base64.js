// atob and btoa: text whose code units are bytes, to and from base64.
// https://html.spec.whatwg.org/multipage/webappapis.html#atob
// https://infra.spec.whatwg.org/#forgiving-base64
//
// The text becomes bytes at once, by the engine's UTF-8, because looking at one code unit
// of a string after the other is slow. The digits are those of base64.js.

exports.btoa = (data) => {
  const text = toDOMString(data, 'btoa: the argument');
  const length = text.length;
  const bytes = new Uint8Array(length);
  if (native(UTF8_LENGTH, text) === length) {
    native(UTF8_WRITE, text, bytes);
  } else {
    for (let i = 0; i < length; i++) {
      const code = StringPrototypeCharCodeAt(text, i);
      if (code > 255) {
        throw newDOMException(
          `btoa: the character at index ${i} is outside of the Latin1 range; encode the text with TextEncoder first`,
          'InvalidCharacterError');
      }
      bytes[i] = code;
    }
  }
  return encodeBase64(bytes, length);
};

// https://infra.spec.whatwg.org/#forgiving-base64-decode
exports.atob = (data) => {
  const text = toDOMString(data, 'atob: the argument');
  const length = text.length;
  if (native(UTF8_LENGTH, text) !== length) throw notBase64();
  const bytes = new Uint8Array(length);
  native(UTF8_WRITE, text, bytes);
  // The bytes that the text stands for, each as UTF-8 of the code point with its value.
  const out = new Uint8Array(2 * length);
  let size = 0;
  let group = 0;
  let bits = 0; // in the group
  let digits = 0;
  let padding = 0;
  for (let i = 0; i < length; i++) {
    const code = bytes[i];
    const digit = base64Digits[code];
    if (digit === 255) {
      if (code === 61) padding++;
      else if (!isASCIIWhitespace(code)) throw notBase64();
      continue;
    }
    if (padding > 0) throw notBase64();
    digits++;
    group = ((group << 6) | digit) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (group >> bits) & 255;
    if (byte < 0x80) {
      out[size++] = byte;
    } else {
      out[size++] = 0xc0 | (byte >> 6);
      out[size++] = 0x80 | (byte & 63);
    }
  }
  // Padding may be absent; what there is must make whole groups.
  if (padding > 0 ? padding > 2 || (digits + padding) % 4 !== 0 : digits % 4 === 1) throw notBase64();
  return native(UTF8_READ, viewOf(out, 0, size), false);
};

function notBase64() {
  return newDOMException('atob: the text is not correctly encoded base64', 'InvalidCharacterError');
}
