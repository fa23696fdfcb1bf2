// RegExp.escape: a text as a pattern that matches it, wherever in a pattern it is put.
// ECMA-262, section 22.2.5.1, https://tc39.es/ecma262/#sec-regexp.escape
//
// RegExp.prototype is left alone: while it is as the engine made it, replace, split and
// match take their fast paths.

{
  const hexOf = (code) => (code < 256 ? `\\x${hexOfByte(code)}` : `\\u${hexOfByte(code >> 8)}${hexOfByte(code & 255)}`);

  // escapeOf returns what stands for a code unit in a pattern, '' for itself
  // (EncodeForRegExpEscape).
  const escapeOf = (code) => {
    switch (code) {
      case 9: return '\\t';
      case 10: return '\\n';
      case 11: return '\\v';
      case 12: return '\\f';
      case 13: return '\\r';
      // The syntax characters ^$\.*+?()[]{}| and the slash.
      case 36: case 40: case 41: case 42: case 43: case 46: case 47: case 63: case 91: case 92: case 93: case 94:
      case 123: case 124: case 125:
        return `\\${StringFromCharCode(code)}`;
      // Other punctuators: ,-=<>#&!%:;@~'`"
      case 33: case 34: case 35: case 37: case 38: case 39: case 44: case 45: case 58: case 59: case 60: case 61: case 62:
      case 64: case 96: case 126:
      // White space and line terminators.
      case 0x20: case 0xa0: case 0x1680: case 0x2028: case 0x2029: case 0x202f: case 0x205f: case 0x3000: case 0xfeff:
        return hexOf(code);
      default:
        return code >= 0x2000 && code <= 0x200a ? hexOf(code) : '';
    }
  };

  exports.expressionFunctions = {
    escape(text) {
      if (typeof text !== 'string') throw new TypeError('The argument is not a string');
      let out = '';
      let from = 0; // where what has not been added yet begins
      for (let i = 0; i < text.length; i++) {
        const code = StringPrototypeCharCodeAt(text, i);
        let escaped;
        if (i === 0 && ((code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122))) {
          // So that it does not go on what stands in front of it in the pattern.
          escaped = hexOf(code);
        } else if ((code & 0xf800) === 0xd800) {
          if (isSurrogatePair(text, i)) {
            i++;
            continue;
          }
          escaped = hexOf(code);
        } else {
          escaped = escapeOf(code);
        }
        if (escaped !== '') {
          out += StringPrototypeSlice(text, from, i) + escaped;
          from = i + 1;
        }
      }
      return out + StringPrototypeSlice(text, from);
    },
  };
}
