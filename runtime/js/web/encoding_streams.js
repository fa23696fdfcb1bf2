// TextEncoderStream and TextDecoderStream.
// https://encoding.spec.whatwg.org/#interface-textencoderstream
// https://encoding.spec.whatwg.org/#interface-textdecoderstream

const { TextDecoder, decoderMembers } = part('encoding');
const { newTransformStream } = part('streams');
const { decode, encoding: encodingOf, fatal: fatalOf, ignoreBOM: ignoreBOMOf } = decoderMembers;

const { add: addEncoderStreamSlots, has: isEncoderStream, of: encoderStreamSlots } = newSlots('TextEncoderStream');
const { add: addDecoderStreamSlots, has: isDecoderStream, of: decoderStreamSlots } = newSlots('TextDecoderStream');

const MORE = ObjectFreeze({ __proto__: null, stream: true });

// newEncoder makes the algorithms of an encoder, which keeps the first half of a surrogate
// pair for the next chunk.
// https://encoding.spec.whatwg.org/#encode-and-enqueue-a-chunk, https://encoding.spec.whatwg.org/#encode-and-flush
function newEncoder() {
  let half = '';
  return {
    __proto__: null,
    transform(chunk, enqueue) {
      const text = half + toDOMString(chunk, 'TextEncoderStream: a chunk');
      const last = text === '' ? 0 : StringPrototypeCharCodeAt(text, text.length - 1);
      const isHalf = last >= 0xd800 && last <= 0xdbff;
      half = isHalf ? StringPrototypeSlice(text, text.length - 1) : '';
      enqueueText(isHalf ? StringPrototypeSlice(text, 0, text.length - 1) : text, enqueue);
    },
    flush(enqueue) {
      enqueueText(half, enqueue);
    },
  };
}

// enqueueText enqueues the bytes of a text, unless there are none. What is half a surrogate
// pair becomes U+FFFD.
function enqueueText(text, enqueue) {
  if (text === '') return;
  const bytes = new Uint8Array(native(UTF8_LENGTH, text));
  native(UTF8_WRITE, text, bytes);
  enqueue(bytes);
}

// newDecoding makes the algorithms that give what a decoder returns.
// https://encoding.spec.whatwg.org/#decode-and-enqueue-a-chunk
function newDecoding(decoder) {
  const step = (chunk, options, enqueue) => {
    const text = decode(decoder, chunk, options);
    if (text !== '') enqueue(text);
  };
  return {
    __proto__: null,
    transform(chunk, enqueue) {
      // To a decoder, nothing is an input.
      if (chunk === undefined) throw new TypeError('TextDecoderStream: a chunk is not an ArrayBuffer or a view of one');
      step(chunk, MORE, enqueue);
    },
    flush: (enqueue) => step(undefined, undefined, enqueue),
  };
}

class TextEncoderStream {
  constructor() {
    const { transform, flush } = newEncoder();
    addEncoderStreamSlots(this, newTransformStream(transform, flush));
  }

  get encoding() {
    encoderStreamSlots(this, 'TextEncoderStream.encoding');
    return 'utf-8';
  }

  get readable() {
    return encoderStreamSlots(this, 'TextEncoderStream.readable').readable;
  }

  get writable() {
    return encoderStreamSlots(this, 'TextEncoderStream.writable').writable;
  }
}

class TextDecoderStream {
  constructor(label = 'utf-8', options = undefined) {
    const decoder = new TextDecoder(label, options);
    const { transform, flush } = newDecoding(decoder);
    const { readable, writable } = newTransformStream(transform, flush);
    addDecoderStreamSlots(this, { __proto__: null, decoder, readable, writable });
  }

  get encoding() {
    return encodingOf(decoderStreamSlots(this, 'TextDecoderStream.encoding').decoder);
  }

  get fatal() {
    return fatalOf(decoderStreamSlots(this, 'TextDecoderStream.fatal').decoder);
  }

  get ignoreBOM() {
    return ignoreBOMOf(decoderStreamSlots(this, 'TextDecoderStream.ignoreBOM').decoder);
  }

  get readable() {
    return decoderStreamSlots(this, 'TextDecoderStream.readable').readable;
  }

  get writable() {
    return decoderStreamSlots(this, 'TextDecoderStream.writable').writable;
  }
}

// describeSides lists both ends of a stream of either kind.
function describeSides({ readable, writable }) {
  return [{ 0: 'readable', 1: readable }, { 0: 'writable', 1: writable }];
}

defineInterface(TextEncoderStream, 'TextEncoderStream');
defineInterface(TextDecoderStream, 'TextDecoderStream');
definePlatformKind(TextEncoderStream, 'TextEncoderStream', {
  __proto__: null, has: isEncoderStream, describe: (value) => describeSides(encoderStreamSlots(value)),
});
definePlatformKind(TextDecoderStream, 'TextDecoderStream', {
  __proto__: null, has: isDecoderStream, describe: (value) => describeSides(decoderStreamSlots(value)),
});

exports.TextEncoderStream = TextEncoderStream;
exports.TextDecoderStream = TextDecoderStream;
