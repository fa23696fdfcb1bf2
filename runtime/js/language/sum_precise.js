// Math.sumPrecise: the sum of numbers, rounded once.
// https://tc39.es/proposal-math-sum/
//
// The sum is kept as a list of parts whose exact sum it is and of which no two have a bit
// in common (J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997, Grow-Expansion).
// Numbers so large that adding them could overflow are kept as an integer.

{
  // addExactly adds a number to the parts of a sum.
  const addExactly = (parts, number) => {
    let count = 0;
    for (let i = 0; i < parts.length; i++) {
      let part = parts[i];
      if (MathAbs(number) < MathAbs(part)) {
        const larger = part;
        part = number;
        number = larger;
      }
      const sum = number + part;
      const rest = part - (sum - number);
      if (rest !== 0) parts[count++] = rest;
      number = sum;
    }
    parts.length = count;
    parts[count] = number;
  };

  // The least positive number is 2 ** -1074: every number is an integer times that.
  const inLeastUnits = (number) => {
    const bits = new DataView(new ArrayBuffer(8));
    DataViewPrototypeSetFloat64(bits, 0, number);
    const high = DataViewPrototypeGetUint32(bits, 0);
    const exponent = (high >> 20) & 0x7ff;
    const significand = (BigInt(high & 0xfffff) << 32n) | BigInt(DataViewPrototypeGetUint32(bits, 4));
    const units = exponent === 0 ? significand : (significand | 0x10000000000000n) << BigInt(exponent - 1);
    return number < 0 ? -units : units;
  };

  // fromLeastUnits rounds to the nearest number, to the even one of two. Of an integer of
  // more bits than the conversion has to see, 64 are kept, the last of which says whether
  // any behind it was set.
  const fromLeastUnits = (units) => {
    const negative = units < 0n;
    let magnitude = negative ? -units : units;
    let exponent = -1074;
    // Bits are dropped in steps, the larger first.
    for (let step = 1024; step > 0; step = step >> 1) {
      while (magnitude >> BigInt(step + 63) !== 0n) {
        const kept = magnitude >> BigInt(step);
        magnitude = kept << BigInt(step) === magnitude ? kept : kept | 1n;
        exponent += step;
      }
    }
    // All that follows is exact, or overflows as it should: the result is a multiple of
    // 2 ** -1074. The factor itself can be too large or too small for a number.
    const half = MathTrunc(exponent / 2);
    const result = Number(magnitude) * 2 ** half * 2 ** (exponent - half);
    return negative ? -result : result;
  };

  exports.sumFunctions = {
    sumPrecise(items) {
      requireObjectCoercible(items, 'Math.sumPrecise');
      const parts = newList();
      let large = 0n;
      let special = 0; // the sum of infinities and NaN
      let empty = true; // whether there was nothing but -0
      eachValue(items, (value) => {
        if (typeof value !== 'number') throw new TypeError('A value is not a number');
        if (!NumberIsFinite(value)) {
          special += value;
        } else if (value !== 0) {
          empty = false;
          if (MathAbs(value) >= 2 ** 970) large += inLeastUnits(value);
          else addExactly(parts, value);
        } else if (!ObjectIs(value, -0)) {
          empty = false;
        }
      });
      if (special !== 0) return special;
      if (empty) return -0;
      if (large === 0n && parts.length < 2) return parts.length === 0 ? 0 : parts[0];
      for (let i = 0; i < parts.length; i++) large += inLeastUnits(parts[i]);
      return fromLeastUnits(large);
    },
  };
}
