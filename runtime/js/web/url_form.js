// application/x-www-form-urlencoded: lists of names and values as text.
// https://url.spec.whatwg.org/#application/x-www-form-urlencoded
//
// A list has a pair {0: name, 1: value} for each tuple.

// parseForm returns the list that a text stands for.
// https://url.spec.whatwg.org/#concept-urlencoded-parser
function parseForm(text) {
  const list = newList();
  const length = text.length;
  for (let from = 0; from < length;) {
    let end = StringPrototypeIndexOf(text, '&', from);
    if (end < 0) end = length;
    if (end > from) {
      const pair = StringPrototypeSlice(text, from, end);
      const equals = StringPrototypeIndexOf(pair, '=');
      list[list.length] = {
        0: formDecode(equals < 0 ? pair : StringPrototypeSlice(pair, 0, equals)),
        1: equals < 0 ? '' : formDecode(StringPrototypeSlice(pair, equals + 1)),
      };
    }
    from = end + 1;
  }
  return list;
}

function formDecode(text) {
  let plus = StringPrototypeIndexOf(text, '+');
  if (plus >= 0) {
    let out = '';
    let from = 0;
    for (; plus >= 0; plus = StringPrototypeIndexOf(text, '+', from)) {
      out += `${StringPrototypeSlice(text, from, plus)} `;
      from = plus + 1;
    }
    text = out + StringPrototypeSlice(text, from);
  }
  return percentDecodeString(text);
}

// serializeForm returns the text for a list.
// https://url.spec.whatwg.org/#concept-urlencoded-serializer
function serializeForm(list) {
  let output = '';
  for (let i = 0; i < list.length; i++) {
    if (i > 0) output += '&';
    output += `${formEncode(list[i][0])}=${formEncode(list[i][1])}`;
  }
  return output;
}

// formEncode percent-encodes with the form set and writes a space as '+'.
function formEncode(text) {
  const encoded = utf8PercentEncode(text, FORM_SET);
  let at = encoded === text ? -1 : StringPrototypeIndexOf(encoded, '%20');
  if (at < 0) return encoded;
  let out = '';
  let from = 0;
  for (; at >= 0; at = StringPrototypeIndexOf(encoded, '%20', from)) {
    out += `${StringPrototypeSlice(encoded, from, at)}+`;
    from = at + 3;
  }
  return out + StringPrototypeSlice(encoded, from);
}
