// TextEncoder: text to UTF-8. https://encoding.spec.whatwg.org/#interface-textencoder

let requireTextEncoder;

class TextEncoder {
  #brand;

  static {
    requireTextEncoder = (value, member) => {
      if (!isObject(value) || !(#brand in value)) throw illegalInvocation(`TextEncoder.${member}`);
    };
  }

  constructor() {
    this.#brand = true;
  }

  get encoding() {
    requireTextEncoder(this, 'encoding');
    return 'utf-8';
  }

  encode(input = '') {
    requireTextEncoder(this, 'encode');
    // A lone surrogate is written as U+FFFD, which is what its conversion would make of it.
    const text = toDOMString(input, 'TextEncoder.encode: the input');
    const bytes = new Uint8Array(native(UTF8_LENGTH, text));
    native(UTF8_WRITE, text, bytes);
    return bytes;
  }

  // https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto
  encodeInto(source, destination) {
    requireTextEncoder(this, 'encodeInto');
    requireArguments(arguments.length, 2, 'TextEncoder.encodeInto');
    const text = toDOMString(source, 'TextEncoder.encodeInto: the source');
    if (!isObject(destination) || TypedArrayPrototypeGetToStringTag(destination) !== 'Uint8Array') {
      throw new TypeError('TextEncoder.encodeInto: the destination is not a Uint8Array');
    }
    const figures = native(UTF8_WRITE, text, destination);
    return { read: figures[0], written: figures[1] };
  }
}

exports.TextEncoder = defineInterface(TextEncoder, 'TextEncoder');
