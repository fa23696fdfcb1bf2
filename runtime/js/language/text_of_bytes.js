// Text of bytes: the reading of base64, the reading and writing of hexadecimal digits.
// ECMA-262, section 23.3.3, https://tc39.es/ecma262/#sec-frombase64
//
// The readers write into bytes, at most limit of them, and return {read, written, error}: the
// code units of the text that those bytes stand for, and why reading has stopped.

function skipAsciiWhitespace(text, index) {
  for (; index < text.length; index++) {
    const code = StringPrototypeCharCodeAt(text, index);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) break;
  }
  return index;
}

// readWholeChunks reads chunks of four digits without white space, from an index on and as
// long as three more bytes are within the limit, and returns the index behind them.
function readWholeChunks(text, index, table, bytes, written, limit) {
  for (; index + 4 <= text.length && written + 3 <= limit; index += 4) {
    let a = StringPrototypeCharCodeAt(text, index);
    let b = StringPrototypeCharCodeAt(text, index + 1);
    let c = StringPrototypeCharCodeAt(text, index + 2);
    let d = StringPrototypeCharCodeAt(text, index + 3);
    if ((a | b | c | d) > 127) break;
    a = table[a];
    b = table[b];
    c = table[c];
    d = table[d];
    if ((a | b | c | d) > 63) break;
    bytes[written++] = (a << 2) | (b >> 4);
    bytes[written++] = ((b & 15) << 4) | (c >> 2);
    bytes[written++] = ((c & 3) << 6) | d;
  }
  return index;
}

// readBase64 is FromBase64. table is base64Digits or base64URLDigits; handling is what becomes of a last chunk of fewer than four
// digits: 'loose', 'strict' or 'stop-before-partial'.
function readBase64(text, table, handling, bytes, limit) {
  const end = text.length;
  let read = 0;
  let written = 0;
  let chunk = 0; // the bits of the digits of a chunk that is not whole yet
  let digits = 0; // how many these are
  const stop = (message) => ({ read, written, error: message === undefined ? undefined : new SyntaxError(message) });
  // finish writes the bytes of a last chunk of two or three digits.
  const finish = (strict) => {
    const extra = digits === 2 ? chunk & 15 : chunk & 3;
    if (strict && extra !== 0) return stop('The last base64 digit has bits that are of no byte');
    bytes[written++] = digits === 2 ? chunk >> 4 : chunk >> 10;
    if (digits === 3) bytes[written++] = (chunk >> 2) & 255;
    read = end;
    return stop();
  };
  if (limit === 0) return stop();
  for (let index = 0; ; ) {
    if (digits === 0) {
      index = readWholeChunks(text, index, table, bytes, written, limit);
      written += ((index - read) / 4) * 3;
      read = index;
      if (written === limit) return stop();
    }
    index = skipAsciiWhitespace(text, index);
    if (index === end) {
      if (digits === 0) {
        read = end;
        return stop();
      }
      if (handling === 'stop-before-partial') return stop();
      if (handling === 'strict') return stop('The base64 text ends without its padding');
      return digits === 1 ? stop('The base64 text ends with a single digit') : finish(false);
    }
    const code = StringPrototypeCharCodeAt(text, index++);
    if (code === 61) {
      if (digits < 2) return stop('The base64 text has padding where there is nothing to pad');
      index = skipAsciiWhitespace(text, index);
      if (digits === 2) {
        if (index === end) {
          return handling === 'stop-before-partial' ? stop() : stop('The padding of the base64 text is not whole');
        }
        if (StringPrototypeCharCodeAt(text, index) === 61) index = skipAsciiWhitespace(text, index + 1);
        else return stop('The padding of the base64 text is not whole');
      }
      if (index < end) return stop('The base64 text goes on behind its padding');
      return finish(handling === 'strict');
    }
    const digit = code < 128 ? table[code] : 255;
    if (digit === 255) return stop('The text has a character that is no base64 digit');
    const remaining = limit - written;
    if ((remaining === 1 && digits === 2) || (remaining === 2 && digits === 3)) return stop();
    chunk = (chunk << 6) | digit;
    digits++;
    if (digits === 4) {
      bytes[written] = chunk >> 16;
      bytes[written + 1] = (chunk >> 8) & 255;
      bytes[written + 2] = chunk & 255;
      written += 3;
      chunk = 0;
      digits = 0;
      read = index;
      if (written === limit) return stop();
    }
  }
}

// hexDigit returns the value of a hexadecimal digit, 16 for any other code unit.
function hexDigit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  code |= 32;
  return code >= 97 && code <= 102 ? code - 87 : 16;
}

// readHex is FromHex.
function readHex(text, bytes, limit) {
  let written = 0;
  const stop = (message) => ({ read: 2 * written, written, error: message === undefined ? undefined : new SyntaxError(message) });
  if (text.length % 2 !== 0) return stop('The text has an odd number of hexadecimal digits');
  while (2 * written < text.length && written < limit) {
    const high = hexDigit(StringPrototypeCharCodeAt(text, 2 * written));
    const low = hexDigit(StringPrototypeCharCodeAt(text, 2 * written + 1));
    if (high === 16 || low === 16) return stop('The text has a character that is no hexadecimal digit');
    bytes[written++] = high * 16 + low;
  }
  return stop();
}

// encodeHex returns the text for the first length bytes of a Uint8Array. It uses the list
// of encodeBase64 (base64.js) in the same way.
function encodeHex(bytes, length) {
  const characters = base64List();
  let text = '';
  let at = 0;
  for (let i = 0; i < length; i++) {
    const high = bytes[i] >> 4;
    const low = bytes[i] & 15;
    characters[at] = high + (high < 10 ? 48 : 87);
    characters[at + 1] = low + (low < 10 ? 48 : 87);
    at += 2;
    if (at === BASE64_CHUNK) {
      text += ReflectApply(StringFromCharCode, undefined, characters);
      at = 0;
    }
  }
  for (let i = 0; i < at; i += 2) text += StringFromCharCode(characters[i], characters[i + 1]);
  return text;
}

// hexOfByte returns two hexadecimal digits.
function hexOfByte(byte) {
  const digits = '0123456789abcdef';
  return digits[byte >> 4] + digits[byte & 15];
}
