// Hosts: domains, opaque hosts and addresses. A parser returns the serialised host,
// or null for failure; the serialisation tells the kinds of host apart.
// https://url.spec.whatwg.org/#hosts-(domains-and-ip-addresses)

// A bit for each ASCII code point: 1 for a forbidden host code point, 2 for a
// forbidden domain code point.
const forbiddenHostCodePoints = new Uint8Array(128);
{
  for (let code = 0; code < 0x20; code++) forbiddenHostCodePoints[code] = 2;
  forbiddenHostCodePoints[0x25] = 2;
  forbiddenHostCodePoints[0x7f] = 2;
  const forbidden = '\0\t\n\r #/:<>?@[\\]^|';
  for (let i = 0; i < forbidden.length; i++) forbiddenHostCodePoints[StringPrototypeCharCodeAt(forbidden, i)] = 3;
}

// https://url.spec.whatwg.org/#concept-host-parser
function parseHost(input, isOpaque) {
  if (StringPrototypeStartsWith(input, '[')) {
    if (lastCodeOf(input) !== 0x5d) return null;
    const pieces = parseIPv6(StringPrototypeSlice(input, 1, input.length - 1));
    return pieces === null ? null : `[${serializeIPv6(pieces)}]`;
  }
  if (isOpaque) return parseOpaqueHost(input);
  const domain = domainToASCII(percentDecodeString(input));
  if (domain === null) return null;
  return endsInANumber(domain) ? parseIPv4(domain) : domain;
}

// lastCodeOf returns the last code unit of a text, NaN for the empty one. An index into a
// text beyond its end would be looked up in its prototype, which a guest can patch.
function lastCodeOf(text) {
  return StringPrototypeCharCodeAt(text, text.length - 1);
}

// https://url.spec.whatwg.org/#concept-opaque-host-parser
function parseOpaqueHost(input) {
  for (let i = 0; i < input.length; i++) {
    const code = StringPrototypeCharCodeAt(input, i);
    if (code < 0x80 && (forbiddenHostCodePoints[code] & 1) !== 0) return null;
  }
  return utf8PercentEncode(input, C0_CONTROL_SET);
}

// https://url.spec.whatwg.org/#concept-domain-to-ascii, with beStrict false. A name that is
// ASCII without an encoded label is only lowercased.
function domainToASCII(domain) {
  let ascii = StringPrototypeToLowerCase(domain);
  let simple = true;
  for (let i = 0; i < domain.length && simple; i++) simple = StringPrototypeCharCodeAt(domain, i) < 0x80;
  if (!simple || StringPrototypeStartsWith(ascii, 'xn--') || StringPrototypeIndexOf(ascii, '.xn--') >= 0) {
    ascii = native(DOMAIN_TO_ASCII, domain);
    if (ascii === undefined) return null;
  }
  if (ascii === '') return null;
  for (let i = 0; i < ascii.length; i++) {
    if (forbiddenHostCodePoints[StringPrototypeCharCodeAt(ascii, i)] !== 0) return null;
  }
  return ascii;
}

// https://url.spec.whatwg.org/#ends-in-a-number-checker
function endsInANumber(domain) {
  let end = domain.length;
  if (lastCodeOf(domain) === 0x2e) end--;
  if (end === 0) return false;
  const last = StringPrototypeSlice(domain, StringPrototypeLastIndexOf(domain, '.', end - 1) + 1, end);
  if (last === '') return false;
  let digits = true;
  for (let i = 0; i < last.length && digits; i++) digits = isASCIIDigit(StringPrototypeCharCodeAt(last, i));
  return digits || parseIPv4Number(last) !== null;
}

// parseIPv4Number returns a number, which is exact as far as it can be part of an
// address, or null for failure. https://url.spec.whatwg.org/#ipv4-number-parser
function parseIPv4Number(text) {
  if (text === '') return null;
  let radix = 10;
  let i = 0;
  if (text.length >= 2 && text[0] === '0') {
    if (text[1] === 'x' || text[1] === 'X') {
      radix = 16;
      i = 2;
    } else {
      radix = 8;
      i = 1;
    }
  }
  let value = 0;
  for (; i < text.length; i++) {
    const digit = hexDigitValue(StringPrototypeCharCodeAt(text, i));
    if (digit < 0 || digit >= radix) return null;
    value = value * radix + digit;
  }
  return value;
}

// parseIPv4 returns the serialised address. https://url.spec.whatwg.org/#concept-ipv4-parser
function parseIPv4(text) {
  const end = lastCodeOf(text) === 0x2e ? text.length - 1 : text.length;
  let address = 0;
  let from = 0;
  for (let count = 1; ; count++) {
    if (count > 4) return null;
    let dot = StringPrototypeIndexOf(text, '.', from);
    if (dot < 0 || dot > end) dot = end;
    const number = parseIPv4Number(StringPrototypeSlice(text, from, dot));
    if (number === null) return null;
    if (dot === end) {
      // The last number takes the place of all that are missing.
      if (number >= 256 ** (5 - count)) return null;
      address += number;
      break;
    }
    if (number > 255) return null;
    address += number * 256 ** (4 - count);
    from = dot + 1;
  }
  return serializeIPv4(address);
}

// https://url.spec.whatwg.org/#concept-ipv4-serializer
function serializeIPv4(address) {
  return `${(address >>> 24) & 255}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

// parseIPv6 returns the eight pieces of an address, or null for failure.
// https://url.spec.whatwg.org/#concept-ipv6-parser
function parseIPv6(input) {
  const address = new Uint16Array(8);
  const length = input.length;
  let pieceIndex = 0;
  let compress = -1;
  let pointer = 0;
  if (StringPrototypeStartsWith(input, ':')) {
    if (!StringPrototypeStartsWith(input, '::')) return null;
    pointer = 2;
    compress = pieceIndex = 1;
  }
  while (pointer < length) {
    if (pieceIndex === 8) return null;
    if (input[pointer] === ':') {
      if (compress >= 0) return null;
      pointer++;
      compress = ++pieceIndex;
      continue;
    }
    let value = 0;
    let digits = 0;
    for (; digits < 4 && pointer < length; digits++, pointer++) {
      const digit = hexDigitValue(StringPrototypeCharCodeAt(input, pointer));
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    const code = StringPrototypeCharCodeAt(input, pointer);
    if (code === 0x2e) {
      if (digits === 0 || pieceIndex > 6 || !parseIPv4InIPv6(input, pointer - digits, address, pieceIndex)) return null;
      pieceIndex += 2;
      break;
    }
    if (code === 0x3a) {
      pointer++;
      if (pointer === length) return null;
    } else if (pointer < length) {
      return null;
    }
    address[pieceIndex++] = value;
  }
  if (compress < 0) return pieceIndex === 8 ? address : null;
  let swaps = pieceIndex - compress;
  for (let i = 7; i !== 0 && swaps > 0; i--, swaps--) {
    const other = compress + swaps - 1;
    const value = address[other];
    address[other] = address[i];
    address[i] = value;
  }
  return address;
}

// parseIPv4InIPv6 reads four decimal numbers, up to the end, into two pieces.
function parseIPv4InIPv6(input, pointer, address, pieceIndex) {
  for (let seen = 0; seen < 4; seen++) {
    if (seen > 0) {
      if (StringPrototypeCharCodeAt(input, pointer) !== 0x2e) return false;
      pointer++;
    }
    let value = -1;
    for (; pointer < input.length; pointer++) {
      const code = StringPrototypeCharCodeAt(input, pointer);
      if (!isASCIIDigit(code)) break;
      if (value === 0) return false;
      value = value < 0 ? code - 0x30 : value * 10 + code - 0x30;
      if (value > 255) return false;
    }
    if (value < 0) return false;
    const piece = pieceIndex + (seen >> 1);
    address[piece] = address[piece] * 256 + value;
  }
  return pointer === input.length;
}

// https://url.spec.whatwg.org/#concept-ipv6-serializer
function serializeIPv6(address) {
  // The first of the longest runs of at least two pieces that are 0.
  let compress = -1;
  let longest = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && address[end] === 0) end++;
    if (end - i > longest) {
      longest = end - i;
      compress = i;
    }
    if (end > i) i = end;
  }
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === compress) {
      text += i === 0 ? '::' : ':';
      i += longest - 1;
      continue;
    }
    text += NumberPrototypeToString(address[i], 16);
    if (i !== 7) text += ':';
  }
  return text;
}
