// Well-formed strings: String.prototype.isWellFormed and toWellFormed.
// ECMA-262, section 22.1.3, https://tc39.es/ecma262/#sec-string.prototype.iswellformed

// isSurrogatePair reports whether a high surrogate and a low one are at an index.
function isSurrogatePair(text, index) {
  if ((StringPrototypeCharCodeAt(text, index) & 0xfc00) !== 0xd800) return false;
  return index + 1 < text.length && (StringPrototypeCharCodeAt(text, index + 1) & 0xfc00) === 0xdc00;
}

// loneSurrogate returns the index of the first lone surrogate from an index on, -1 when
// there is none.
function loneSurrogate(text, index) {
  for (; index < text.length; index++) {
    if ((StringPrototypeCharCodeAt(text, index) & 0xf800) !== 0xd800) continue;
    if (!isSurrogatePair(text, index)) return index;
    index++;
  }
  return -1;
}

exports.wellFormedMethods = {
  isWellFormed() {
    return loneSurrogate(`${requireObjectCoercible(this, 'String.prototype.isWellFormed')}`, 0) < 0;
  },

  toWellFormed() {
    const text = `${requireObjectCoercible(this, 'String.prototype.toWellFormed')}`;
    let out = '';
    let from = 0;
    for (let at = loneSurrogate(text, 0); at >= 0; at = loneSurrogate(text, from)) {
      out += StringPrototypeSlice(text, from, at) + '\ufffd';
      from = at + 1;
    }
    return from === 0 ? text : out + StringPrototypeSlice(text, from);
  },
};
