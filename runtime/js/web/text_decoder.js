// TextDecoder: bytes to text, in any encoding of the standard.
// https://encoding.spec.whatwg.org/#interface-textdecoder
//
// UTF-8 is decoded by the engine and everything else by the decoders of the Go package
// runtime/native, which keep nothing between calls: what a decoder remembers within a
// stream is a number that they give back. Bytes are decoded in pieces, so that no call
// takes long and none needs memory for the whole.

// The most bytes that one call decodes.
const DECODE_PIECE = 262144;

// Flags of a call of a decoder, as in runtime/native/decode.go.
const DECODE_FATAL = 1;
const DECODE_FLUSH = 2;

const noBytes = new Uint8Array(0);

let decoderOf;

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #seenBOM = false;
  #doNotFlush = false;
  #state = 0; // what the decoder remembers
  #queue = noBytes; // bytes that were not decoded yet

  static {
    decoderOf = (value, member) => {
      if (!isObject(value) || !(#encoding in value)) throw illegalInvocation(`TextDecoder.${member}`);
      return value;
    };
  }

  constructor(label = 'utf-8', options = undefined) {
    const text = toDOMString(label, 'TextDecoder constructor: the label');
    const dictionary = toDictionaryObject(options, 'TextDecoder constructor: the options');
    const fatal = dictionary === undefined ? undefined : dictionary.fatal;
    const ignoreBOM = dictionary === undefined ? undefined : dictionary.ignoreBOM;
    const encoding = getEncoding(text);
    if (encoding === undefined || encoding === 'replacement') {
      throw new RangeError(`TextDecoder constructor: ${JSONStringify(cut(text, 100))} is not the label of an encoding that can be decoded`);
    }
    this.#encoding = encoding;
    this.#fatal = !!fatal;
    this.#ignoreBOM = !!ignoreBOM;
  }

  get encoding() {
    return decoderOf(this, 'encoding').#encoding;
  }

  get fatal() {
    return decoderOf(this, 'fatal').#fatal;
  }

  get ignoreBOM() {
    return decoderOf(this, 'ignoreBOM').#ignoreBOM;
  }

  // https://encoding.spec.whatwg.org/#dom-textdecoder-decode
  decode(input = undefined, options = undefined) {
    decoderOf(this, 'decode');
    const source = input === undefined ? undefined : requireBufferSource(input);
    const dictionary = toDictionaryObject(options, 'TextDecoder.decode: the options');
    const stream = dictionary === undefined ? false : !!dictionary.stream;
    if (!this.#doNotFlush) {
      this.#state = 0;
      this.#queue = noBytes;
      this.#seenBOM = false;
    }
    this.#doNotFlush = stream;
    // Reading the options may have run guest code, which may have detached the buffer.
    const bytes = joinBytes(this.#queue, source === undefined ? noBytes : bytesOfSource(source, input));
    this.#queue = noBytes;
    const text = this.#encoding === 'utf-8' ? this.#decodeUTF8(bytes, stream) : this.#decodeOther(bytes, stream);
    return this.#serialize(text);
  }

  #decodeUTF8(bytes, stream) {
    const length = TypedArrayPrototypeGetByteLength(bytes);
    const end = stream ? endOfWholeUTF8(bytes, length) : length;
    let text = '';
    for (let from = 0; from < end;) {
      const to = end - from > DECODE_PIECE ? endOfWholeUTF8(bytes, from + DECODE_PIECE) : end;
      const piece = from === 0 && to === length ? bytes : viewOf(bytes, from, to);
      const decoded = native(UTF8_READ, piece, this.#fatal);
      if (decoded === undefined) {
        if (stream) this.#queue = copyOf(bytes, endOfUTF8Error(bytes, from), length);
        throw invalidBytes('utf-8');
      }
      text = text === '' ? decoded : text + decoded;
      from = to;
    }
    if (end < length) this.#queue = copyOf(bytes, end, length);
    return text;
  }

  #decodeOther(bytes, stream) {
    const length = TypedArrayPrototypeGetByteLength(bytes);
    let text = '';
    let from = 0;
    do {
      const to = length - from > DECODE_PIECE ? from + DECODE_PIECE : length;
      const flags = (this.#fatal ? DECODE_FATAL : 0) | (!stream && to === length ? DECODE_FLUSH : 0);
      const answer = native(DECODE, this.#encoding, viewOf(bytes, from, to), this.#state, flags);
      if (answer[1] < 0) {
        // An error: the text is how many bytes were read up to it.
        this.#state = -1 - answer[1];
        if (stream) this.#queue = copyOf(bytes, from + NumberParseInt(answer[0], 10), length);
        throw invalidBytes(this.#encoding);
      }
      text = text === '' ? answer[0] : text + answer[0];
      this.#state = answer[1];
      from = to;
    } while (from < length);
    return text;
  }

  // https://encoding.spec.whatwg.org/#concept-td-serialize
  #serialize(text) {
    if (this.#seenBOM || this.#ignoreBOM || text === '') return text;
    this.#seenBOM = true;
    const unicode = this.#encoding === 'utf-8' || this.#encoding === 'utf-16le' || this.#encoding === 'utf-16be';
    return unicode && StringPrototypeCharCodeAt(text, 0) === 0xfeff ? StringPrototypeSlice(text, 1) : text;
  }
}

function invalidBytes(encoding) {
  return new TypeError(`TextDecoder.decode: the bytes are not valid ${encoding}`);
}

// requireBufferSource returns what kind of buffer source a value is.
// https://webidl.spec.whatwg.org/#BufferSource
function requireBufferSource(value) {
  if (isObject(value)) {
    if (ArrayBufferIsView(value)) return TypedArrayPrototypeGetToStringTag(value) === undefined ? 'DataView' : 'TypedArray';
    if (hasBrand('ArrayBuffer', value)) return 'ArrayBuffer';
  }
  throw new TypeError('TextDecoder.decode: the input is not an ArrayBuffer or a view of one');
}

// bytesOfSource returns a view of the bytes of a buffer source, none when it is detached.
function bytesOfSource(brand, value) {
  try {
    return bytesOf(value, brand);
  } catch {
    return noBytes;
  }
}

function viewOf(bytes, from, to) {
  return new Uint8Array(TypedArrayPrototypeGetBuffer(bytes), TypedArrayPrototypeGetByteOffset(bytes) + from, to - from);
}

// copyOf returns the bytes of a range in memory that nobody else has.
function copyOf(bytes, from, to) {
  const copy = new Uint8Array(to - from);
  TypedArrayPrototypeSet(copy, viewOf(bytes, from, to));
  return copy;
}

function joinBytes(first, second) {
  const size = TypedArrayPrototypeGetByteLength(first);
  if (size === 0) return second;
  const joined = new Uint8Array(size + TypedArrayPrototypeGetByteLength(second));
  TypedArrayPrototypeSet(joined, first);
  TypedArrayPrototypeSet(joined, second, size);
  return joined;
}

// utf8Sequence says of the sequence that begins at an index how long it is as far as it is
// right (bytes up to end), and how long it should be: as whole * 8 + right. It is what the
// UTF-8 decoder does with its bytes needed, lower and upper boundary.
// https://encoding.spec.whatwg.org/#utf-8-decoder
function utf8Sequence(bytes, at, end) {
  const lead = bytes[at];
  if (lead < 0x80) return 9;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const whole = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let lower = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  let upper = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  let right = 1;
  for (; right < whole && at + right < end; right++) {
    const byte = bytes[at + right];
    if (byte < lower || byte > upper) break;
    lower = 0x80;
    upper = 0xbf;
  }
  return whole * 8 + right;
}

// endOfWholeUTF8 returns where, before end, a sequence begins that is right as far as it
// goes and has its rest behind end; end when there is none.
function endOfWholeUTF8(bytes, end) {
  for (let at = end - 1; at >= 0 && at >= end - 3; at--) {
    if (bytes[at] >= 0x80 && bytes[at] <= 0xbf) continue;
    const sequence = utf8Sequence(bytes, at, end);
    return at + (sequence & 7) === end && sequence >> 3 > (sequence & 7) ? at : end;
  }
  return end;
}

// endOfUTF8Error returns what is behind the first error: a byte that is never right, or the
// part of a sequence that was right, whose last byte must be read again.
function endOfUTF8Error(bytes, from) {
  const end = TypedArrayPrototypeGetByteLength(bytes);
  for (let at = from; at < end;) {
    const sequence = utf8Sequence(bytes, at, end);
    if (sequence === 0) return at + 1;
    at += sequence & 7;
    if ((sequence & 7) !== sequence >> 3) return at;
  }
  return end;
}

exports.TextDecoder = defineInterface(TextDecoder, 'TextDecoder');
const getterOf = (name) => uncurryThis(ObjectGetOwnPropertyDescriptor(TextDecoder.prototype, name).get);

// For TextDecoderStream, which works like a decoder whatever becomes of the class's members.
exports.decoderMembers = {
  __proto__: null, decode: uncurryThis(TextDecoder.prototype.decode), encoding: getterOf('encoding'), fatal: getterOf('fatal'),
  ignoreBOM: getterOf('ignoreBOM'),
};
