// Half-precision numbers: Math.f16round, DataView.prototype.getFloat16 and setFloat16.
// ECMA-262, section 21.3.2.17, https://tc39.es/ecma262/#sec-math.f16round

{
  // roundToHalf rounds to the nearest number of half precision, to the even one of two.
  const roundToHalf = (number) => {
    const magnitude = MathAbs(number);
    if (number === 0 || !NumberIsFinite(number)) return number;
    if (magnitude >= 65520) return number < 0 ? -Infinity : Infinity;
    // 11 bits are significant; nothing is finer than 2 ** -24.
    let unit = 2 ** -24;
    while (magnitude >= unit * 2048) unit *= 2;
    // Adding 2 ** 52 leaves no bit for a fraction, and rounds as wanted.
    const rounded = (magnitude / unit + 2 ** 52 - 2 ** 52) * unit;
    return number < 0 ? -rounded : rounded;
  };

  // bitsOfHalf returns the 16 bits of a number that roundToHalf returned.
  const bitsOfHalf = (number) => {
    if (number !== number) return 0x7e00;
    const sign = number < 0 || ObjectIs(number, -0) ? 0x8000 : 0;
    const magnitude = MathAbs(number);
    if (magnitude === Infinity) return sign | 0x7c00;
    if (magnitude < 2 ** -14) return sign | (magnitude * 2 ** 24);
    let exponent = 1;
    let unit = 2 ** -24;
    while (magnitude >= unit * 2048) {
      unit *= 2;
      exponent++;
    }
    // The first of the 11 bits is not stored, and counts as one of the exponent.
    return sign | (((exponent - 1) << 10) + magnitude / unit);
  };

  const halfOfBits = (bits) => {
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    let magnitude;
    if (exponent === 31) magnitude = fraction === 0 ? Infinity : NaN;
    else if (exponent === 0) magnitude = fraction * 2 ** -24;
    else magnitude = (fraction + 1024) * 2 ** (exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  };

  exports.halfFunctions = {
    f16round(number) {
      return roundToHalf(+number);
    },
  };

  exports.halfMethods = {
    getFloat16(byteOffset, littleEndian = false) {
      return halfOfBits(DataViewPrototypeGetUint16(this, byteOffset, littleEndian));
    },

    setFloat16(byteOffset, value, littleEndian = false) {
      // The value is converted when setUint16 converts its own, between its checks.
      const bits = {
        __proto__: null,
        [SymbolToPrimitive]() {
          return bitsOfHalf(roundToHalf(+value));
        },
      };
      DataViewPrototypeSetUint16(this, byteOffset, bits, littleEndian);
    },
  };
}
