// Random values: crypto.getRandomValues and crypto.randomUUID.
// https://www.w3.org/TR/webcrypto/#Crypto-interface
//
// The bytes are the kernel's. Math.random is V8's own and no source of secrets.

// The most that one call of getRandomValues fills, in bytes.
const RANDOM_QUOTA = 65536;

class Crypto {
  #brand;

  constructor(key = undefined) {
    requireInternal(key);
  }

  // https://www.w3.org/TR/webcrypto/#Crypto-method-getRandomValues
  getRandomValues(array) {
    if (!isObject(this) || !(#brand in this)) throw illegalInvocation('Crypto.getRandomValues');
    requireArguments(arguments.length, 1, 'Crypto.getRandomValues');
    if (!ArrayBufferIsView(array)) throw new TypeError('Crypto.getRandomValues: the argument is not an ArrayBufferView');
    const kind = TypedArrayPrototypeGetToStringTag(array);
    if (kind === undefined || kind === 'Float32Array' || kind === 'Float64Array') {
      throw newDOMException(`Crypto.getRandomValues: a ${kind ?? 'DataView'} cannot be filled; pass an array of integers`, 'TypeMismatchError');
    }
    const size = TypedArrayPrototypeGetByteLength(array);
    if (size > RANDOM_QUOTA) {
      throw newDOMException(
        `Crypto.getRandomValues: ${size} bytes asked for; one call gives at most ${RANDOM_QUOTA}`, 'QuotaExceededError');
    }
    native(RANDOM, array);
    return array;
  }

  // https://www.w3.org/TR/webcrypto/#Crypto-method-randomUUID, RFC 9562 section 5.4
  randomUUID() {
    if (!isObject(this) || !(#brand in this)) throw illegalInvocation('Crypto.randomUUID');
    const bytes = new Uint8Array(16);
    native(RANDOM, bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let text = '';
    for (let i = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
      text += HEX_DIGITS[bytes[i] >> 4] + HEX_DIGITS[bytes[i] & 15];
    }
    return text;
  }
}

const HEX_DIGITS = '0123456789abcdef';

exports.Crypto = defineInterface(Crypto, 'Crypto');
exports.crypto = new Crypto(INTERNAL);
