// Base64: bytes to and from text in the standard alphabet, padded.
// RFC 4648, section 4, https://www.rfc-editor.org/rfc/rfc4648#section-4

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

// The code of each digit, and the digit of each code below 128 (255: none), in the
// standard alphabet and in that for URLs.
const base64Codes = new Uint8Array(64);
const base64URLCodes = new Uint8Array(64);
const base64Digits = new Uint8Array(128);
const base64URLDigits = new Uint8Array(128);
for (let i = 0; i < 128; i++) base64Digits[i] = base64URLDigits[i] = 255;
for (let i = 0; i < 64; i++) {
  base64Codes[i] = StringPrototypeCharCodeAt(BASE64, i);
  base64URLCodes[i] = i === 62 ? 45 : i === 63 ? 95 : base64Codes[i];
  base64Digits[base64Codes[i]] = i;
  base64URLDigits[base64URLCodes[i]] = i;
}

// Characters made at once: a multiple of 4, few enough for the stack. The list
// is reused, because no guest code runs while it is in use.
const BASE64_CHUNK = 4096;
let base64Characters;

// base64List returns it.
function base64List() {
  if (base64Characters === undefined) {
    const list = newList();
    for (let i = 0; i < BASE64_CHUNK; i++) list[i] = 0;
    base64Characters = list;
  }
  return base64Characters;
}

// encodeBase64 returns the text for the first length bytes of a Uint8Array, in the
// alphabet of codes.
function encodeBase64(bytes, length, codes = base64Codes) {
  const characters = base64List();
  let text = '';
  let at = 0;
  const whole = length - (length % 3);
  for (let i = 0; i < whole; i += 3) {
    const group = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    characters[at] = codes[group >> 18];
    characters[at + 1] = codes[(group >> 12) & 63];
    characters[at + 2] = codes[(group >> 6) & 63];
    characters[at + 3] = codes[group & 63];
    at += 4;
    if (at === BASE64_CHUNK) {
      text += ReflectApply(StringFromCharCode, undefined, characters);
      at = 0;
    }
  }
  for (let i = 0; i < at; i += 4) {
    text += StringFromCharCode(characters[i], characters[i + 1], characters[i + 2], characters[i + 3]);
  }
  if (whole < length) {
    const two = length - whole === 2;
    const group = (bytes[whole] << 16) | (two ? bytes[whole + 1] << 8 : 0);
    text += StringFromCharCode(
      codes[group >> 18], codes[(group >> 12) & 63], two ? codes[(group >> 6) & 63] : 61, 61);
  }
  return text;
}

// decodeBase64 returns the bytes of a text as a Uint8Array, or undefined when it
// is not padded base64.
function decodeBase64(text) {
  const length = text.length;
  if (length % 4 !== 0) return undefined;
  if (length === 0) return new Uint8Array(0);
  let padding = 0;
  if (StringPrototypeCharCodeAt(text, length - 1) === 61) {
    padding = StringPrototypeCharCodeAt(text, length - 2) === 61 ? 2 : 1;
  }
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  let group = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    let digit = 0;
    if (i < length - padding) {
      const code = StringPrototypeCharCodeAt(text, i);
      digit = code < 128 ? base64Digits[code] : 255;
      if (digit === 255) return undefined;
    }
    group = (group << 6) | digit;
    if (i % 4 === 3) {
      // Writes beyond the end of a typed array do nothing.
      bytes[at] = group >> 16;
      bytes[at + 1] = (group >> 8) & 255;
      bytes[at + 2] = group & 255;
      at += 3;
      group = 0;
    }
  }
  return bytes;
}
