// Percent-encoding: which code points each part of a URL must not hold as they are,
// and text to percent-encoded text and back.
// https://url.spec.whatwg.org/#percent-encoded-bytes

// A bit for each percent-encode set. All hold the C0 control percent-encode set,
// that is C0 controls and everything above U+007E.
const C0_CONTROL_SET = 1;
const FRAGMENT_SET = 2;
const QUERY_SET = 4;
const SPECIAL_QUERY_SET = 8;
const PATH_SET = 16;
const USERINFO_SET = 32;
const FORM_SET = 64;

// The sets that each ASCII code point is in.
const percentEncodeSets = new Uint8Array(128);
{
  const add = (set, text) => {
    for (let i = 0; i < text.length; i++) percentEncodeSets[StringPrototypeCharCodeAt(text, i)] |= set;
  };
  for (let code = 0; code < 128; code++) if (code < 0x20 || code === 0x7f) percentEncodeSets[code] = 127;
  const path = ' "#<>?^`{}';
  const userinfo = `${path}/:;=@[\\]|`;
  add(FRAGMENT_SET, ' "<>`');
  add(QUERY_SET, ' "#<>');
  add(SPECIAL_QUERY_SET, ' "#<>\'');
  add(PATH_SET, path);
  add(USERINFO_SET, userinfo);
  // The application/x-www-form-urlencoded percent-encode set, which holds the component one.
  add(FORM_SET, `${userinfo}$%&+,!'()~`);
}

const UPPER_HEX_DIGITS = '0123456789ABCDEF';

// utf8PercentEncode returns a scalar value string with the code points of a set as
// percent-encoded bytes of their UTF-8. https://url.spec.whatwg.org/#string-utf-8-percent-encode
function utf8PercentEncode(text, set) {
  const length = text.length;
  let out = '';
  let kept = 0; // what is before it is in out
  for (let i = 0; i < length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 0x80) {
      if ((percentEncodeSets[code] & set) === 0) continue;
      out += `${StringPrototypeSlice(text, kept, i)}%${UPPER_HEX_DIGITS[code >> 4]}${UPPER_HEX_DIGITS[code & 15]}`;
      kept = i + 1;
    } else {
      let end = i + 1;
      while (end < length && StringPrototypeCharCodeAt(text, end) >= 0x80) end++;
      out += StringPrototypeSlice(text, kept, i) + encodeURIComponent(StringPrototypeSlice(text, i, end));
      kept = end;
      i = end - 1;
    }
  }
  if (kept === 0) return text;
  return kept === length ? out : out + StringPrototypeSlice(text, kept);
}

// percentDecodeString returns the UTF-8 decode without BOM of the percent-decoding of a
// text. https://url.spec.whatwg.org/#string-percent-decode
function percentDecodeString(text) {
  if (StringPrototypeIndexOf(text, '%') < 0) return text;
  try {
    // The same, where every sign is followed by two digits and the bytes are UTF-8.
    return decodeURIComponent(text);
  } catch {
    return percentDecodeBytes(text);
  }
}

function percentDecodeBytes(text) {
  const bytes = new Uint8Array(native(UTF8_LENGTH, text));
  const size = native(UTF8_WRITE, text, bytes)[1];
  let length = 0;
  for (let i = 0; i < size; i++, length++) {
    let byte = bytes[i];
    if (byte === 0x25 && i + 2 < size) {
      const high = hexDigitValue(bytes[i + 1]);
      const low = hexDigitValue(bytes[i + 2]);
      if (high >= 0 && low >= 0) {
        byte = (high << 4) | low;
        i += 2;
      }
    }
    bytes[length] = byte;
  }
  return native(UTF8_READ, new Uint8Array(TypedArrayPrototypeGetBuffer(bytes), 0, length), false);
}

// hexDigitValue returns the value of an ASCII hex digit, -1 for any other code.
function hexDigitValue(code) {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function isASCIIAlpha(code) {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isASCIIDigit(code) {
  return code >= 0x30 && code <= 0x39;
}
