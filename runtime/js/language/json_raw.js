// JSON.rawJSON and JSON.isRawJSON: texts that JSON.stringify puts into its result as they are.
// https://tc39.es/proposal-json-parse-with-source/
//
// The engine's JSON.stringify knows nothing of them. It does the work as long as a program
// has made none and gives no function that could make one (accessors.js); otherwise its
// algorithm is followed here. Where the first one is made by a toJSON that the engine has called, the
// work is done again.
// ECMA-262, section 25.5.2, https://tc39.es/ecma262/#sec-json.stringify

{
  let isRawJSON;

  // RawJSON puts its brand on an object that exists. Its constructor is written out as those
  // in primordials.js are.
  class RawJSON extends function (object) { return object; } {
    #brand;

    static {
      isRawJSON = (value) => #brand in value;
    }

    constructor(object) {
      super(object);
    }
  }

  // primitiveOf returns what an object of a kind that JSON takes for a primitive value
  // stands for, and other values as they are.
  const primitiveOf = (value) => {
    const kind = native(KIND_OF, value);
    if (kind & KIND_NUMBER) return +value;
    if (kind & KIND_STRING) return `${value}`;
    if (kind & KIND_BOOLEAN) return BooleanPrototypeValueOf(value);
    return kind & KIND_BIGINT ? BigIntPrototypeValueOf(value) : value;
  };

  const propertyListOf = (replacer) => {
    const list = newList();
    const seen = new SafeMap();
    const length = lengthOfArrayLike(replacer);
    for (let i = 0; i < length; i++) {
      const value = replacer[i];
      const isKey = typeof value === 'string' || typeof value === 'number' ||
        (isObject(value) && (native(KIND_OF, value) & (KIND_STRING | KIND_NUMBER)) !== 0);
      if (!isKey) continue;
      const item = `${value}`;
      if (!seen.has(item)) list[list.length] = item;
      seen.set(item, true);
    }
    return list;
  };

  const gapOf = (space) => {
    const kind = isObject(space) ? native(KIND_OF, space) : 0;
    if (kind & KIND_NUMBER) space = +space;
    else if (kind & KIND_STRING) space = `${space}`;
    if (typeof space === 'string') return StringPrototypeSlice(space, 0, 10);
    if (typeof space !== 'number') return '';
    const count = toIntegerOrInfinity(space);
    return count < 1 ? '' : StringPrototypeRepeat(' ', count > 10 ? 10 : count);
  };

  // serializeProperty is SerializeJSONProperty; undefined stands for no text.
  const serializeProperty = (state, key, holder) => {
    let value = holder[key];
    if (isObject(value) || typeof value === 'bigint') {
      const toJSON = value.toJSON;
      if (typeof toJSON === 'function') value = ReflectApply(toJSON, value, [key]);
    }
    if (state.replacer !== undefined) value = ReflectApply(state.replacer, holder, [key, value]);
    if (isObject(value)) {
      if (isRawJSON(value)) return value.rawJSON;
      value = primitiveOf(value);
    }
    if (isObject(value)) return typeof value === 'function' ? undefined : serializeObject(state, value);
    if (typeof value === 'bigint') throw new TypeError('Do not know how to serialize a BigInt');
    return JSONStringify(value);
  };

  // serializeObject is SerializeJSONObject and SerializeJSONArray.
  const serializeObject = (state, value) => {
    for (let i = 0; i < state.stack.length; i++) {
      if (state.stack[i] === value) throw new TypeError('Converting circular structure to JSON');
    }
    state.stack[state.stack.length] = value;
    const stepback = state.indent;
    state.indent += state.gap;
    const text = ArrayIsArray(value) ? arrayText(state, value, stepback) : objectText(state, value, stepback);
    state.stack.length--;
    state.indent = stepback;
    return text;
  };

  const arrayText = (state, value, stepback) => {
    const separator = state.gap === '' ? ',' : `,\n${state.indent}`;
    const length = lengthOfArrayLike(value);
    let text = '';
    for (let i = 0; i < length; i++) text += (i > 0 ? separator : '') + (serializeProperty(state, `${i}`, value) ?? 'null');
    if (length === 0 || state.gap === '') return `[${text}]`;
    return `[\n${state.indent}${text}\n${stepback}]`;
  };

  const objectText = (state, value, stepback) => {
    const separator = state.gap === '' ? ',' : `,\n${state.indent}`;
    const keys = state.properties === undefined ? ObjectKeys(value) : state.properties;
    let text = '';
    for (let i = 0; i < keys.length; i++) {
      const member = serializeProperty(state, keys[i], value);
      if (member === undefined) continue;
      text += (text === '' ? '' : separator) + JSONStringify(keys[i]) + (state.gap === '' ? ':' : ': ') + member;
    }
    if (text === '' || state.gap === '') return `{${text}}`;
    return `{\n${state.indent}${text}\n${stepback}}`;
  };

  const isWhite = (code) => code === 9 || code === 10 || code === 13 || code === 32;

  exports.rawFunctions = {
    isRawJSON(value) {
      return isObject(value) && isRawJSON(value);
    },

    rawJSON(text) {
      text = `${text}`;
      const last = text.length - 1;
      if (last < 0 || isWhite(StringPrototypeCharCodeAt(text, 0)) || isWhite(StringPrototypeCharCodeAt(text, last))) {
        throw new SyntaxError('The text is empty, or has white space around it');
      }
      if (isObject(JSONParse(text))) throw new SyntaxError('The text is an object or an array in JSON');
      const object = ObjectCreate(null);
      object.rawJSON = text;
      new RawJSON(object);
      noteRawJSON();
      return ObjectFreeze(object);
    },
  };

  // stringify is JSON.stringify (accessors.js) where the engine's cannot do.
  exports.stringify = (value, replacer, space) => {
    const state = { stack: newList(), indent: '', gap: '', replacer: undefined, properties: undefined };
    if (typeof replacer === 'function') state.replacer = replacer;
    else if (ArrayIsArray(replacer)) state.properties = propertyListOf(replacer);
    state.gap = gapOf(space);
    return serializeProperty(state, '', { '': value });
  };
}
