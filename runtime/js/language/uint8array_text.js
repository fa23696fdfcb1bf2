// Uint8Array from and to text: fromBase64, fromHex, setFromBase64, setFromHex, toBase64, toHex.
// ECMA-262, section 23.3, https://tc39.es/ecma262/#sec-uint8array.frombase64

{
  const requireUint8Array = (value) => {
    if (TypedArrayPrototypeGetToStringTag(value) !== 'Uint8Array') throw new TypeError('The receiver is not a Uint8Array');
  };

  // keys throws when its receiver is detached, and does nothing else before next is called.
  const requireAttached = (bytes) => TypedArrayPrototypeKeys(bytes);

  const requireText = (text) => {
    if (typeof text !== 'string') throw new TypeError('The argument is not a string');
  };

  // isBase64URL reads the option alphabet.
  const isBase64URL = (options) => {
    const alphabet = options.alphabet;
    if (alphabet === undefined || alphabet === 'base64') return false;
    if (alphabet === 'base64url') return true;
    throw new TypeError("The option alphabet must be 'base64' or 'base64url'");
  };

  const getLastChunkHandling = (options) => {
    const handling = options.lastChunkHandling;
    if (handling === undefined) return 'loose';
    if (handling === 'loose' || handling === 'strict' || handling === 'stop-before-partial') return handling;
    throw new TypeError("The option lastChunkHandling must be 'loose', 'strict' or 'stop-before-partial'");
  };

  // exactly returns the first length bytes, as a Uint8Array with memory of its own.
  const exactly = (bytes, length) => {
    if (TypedArrayPrototypeGetLength(bytes) === length) return bytes;
    const result = new Uint8Array(length);
    TypedArrayPrototypeSet(result, new Uint8Array(TypedArrayPrototypeGetBuffer(bytes), 0, length));
    return result;
  };

  exports.byteFunctions = {
    fromBase64(text, options = undefined) {
      requireText(text);
      options = getOptionsObject(options);
      const table = isBase64URL(options) ? base64URLDigits : base64Digits;
      const handling = getLastChunkHandling(options);
      const bytes = new Uint8Array(((text.length + 3) / 4) * 3);
      const result = readBase64(text, table, handling, bytes, NUMBER_MAX_SAFE_INTEGER);
      if (result.error !== undefined) throw result.error;
      return exactly(bytes, result.written);
    },

    fromHex(text) {
      requireText(text);
      const bytes = new Uint8Array(text.length / 2);
      const result = readHex(text, bytes, NUMBER_MAX_SAFE_INTEGER);
      if (result.error !== undefined) throw result.error;
      return bytes;
    },
  };

  exports.byteMethods = {
    setFromBase64(text, options = undefined) {
      requireUint8Array(this);
      requireText(text);
      options = getOptionsObject(options);
      const table = isBase64URL(options) ? base64URLDigits : base64Digits;
      const handling = getLastChunkHandling(options);
      requireAttached(this);
      const { read, written, error } = readBase64(text, table, handling, this, TypedArrayPrototypeGetLength(this));
      if (error !== undefined) throw error;
      return { read, written };
    },

    setFromHex(text) {
      requireUint8Array(this);
      requireText(text);
      requireAttached(this);
      const { read, written, error } = readHex(text, this, TypedArrayPrototypeGetLength(this));
      if (error !== undefined) throw error;
      return { read, written };
    },

    toBase64(options = undefined) {
      requireUint8Array(this);
      options = getOptionsObject(options);
      const codes = isBase64URL(options) ? base64URLCodes : base64Codes;
      const omitPadding = !!options.omitPadding;
      requireAttached(this);
      const length = TypedArrayPrototypeGetLength(this);
      const text = encodeBase64(this, length, codes);
      return omitPadding && length % 3 !== 0 ? StringPrototypeSlice(text, 0, (length % 3) - 3) : text;
    },

    toHex() {
      requireUint8Array(this);
      requireAttached(this);
      const length = TypedArrayPrototypeGetLength(this);
      return encodeHex(this, length);
    },
  };
}
