// JSON.parse with source text: the reviver's third argument has the text of a primitive value.
// https://tc39.es/proposal-json-parse-with-source/
//
// The engine parses, so that its results and errors stay as they are. With a reviver, the
// text, known to be JSON then, is read once more for where each value is.

{
  const isDelimiter = (code) =>
    code === 44 || code === 93 || code === 125 || code === 32 || code === 9 || code === 10 || code === 13;

  // ParseRecords reads a text of JSON. A record has the value and, of a primitive one, its
  // source; of an array the records of its elements, and of an object those of its
  // properties by name.
  let readRecords;
  class ParseRecords {
    #text;
    #index = 0;

    static {
      readRecords = (text) => new ParseRecords(text).#read();
    }

    constructor(text) {
      this.#text = text;
    }

    // #peek skips white space and returns the next code unit.
    #peek() {
      for (; ; this.#index++) {
        const code = StringPrototypeCharCodeAt(this.#text, this.#index);
        if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return code;
      }
    }

    // #string returns the source of a string.
    #string() {
      const start = this.#index++;
      for (; ; this.#index++) {
        const code = StringPrototypeCharCodeAt(this.#text, this.#index);
        if (code === 92) this.#index++;
        else if (code === 34) break;
      }
      return StringPrototypeSlice(this.#text, start, ++this.#index);
    }

    // #read reads the value at the current place. Later properties take the place of
    // earlier ones of the same name, as they do in the value.
    #read() {
      const record = { value: undefined, source: undefined, elements: undefined, entries: undefined };
      const code = this.#peek();
      if (code === 91) {
        record.elements = newList();
        this.#index++;
        while (this.#peek() !== 93) {
          if (record.elements.length > 0) this.#index++;
          record.elements[record.elements.length] = this.#read();
        }
        this.#index++;
      } else if (code === 123) {
        record.entries = new SafeMap();
        this.#index++;
        while (this.#peek() !== 125) {
          if (this.#peek() === 44) this.#index++;
          this.#peek();
          const key = JSONParse(this.#string());
          this.#peek();
          this.#index++;
          record.entries.set(key, this.#read());
        }
        this.#index++;
      } else if (code === 34) {
        record.source = this.#string();
      } else {
        const start = this.#index;
        while (this.#index < this.#text.length && !isDelimiter(StringPrototypeCharCodeAt(this.#text, this.#index))) {
          this.#index++;
        }
        record.source = StringPrototypeSlice(this.#text, start, this.#index);
      }
      return record;
    }
  }

  // attach gives records the values that the engine made, before a reviver can change them.
  const attach = (record, value) => {
    record.value = value;
    if (record.elements !== undefined) {
      for (let i = 0; i < record.elements.length; i++) attach(record.elements[i], value[i]);
    } else if (record.entries !== undefined) {
      const keys = ObjectKeys(value);
      for (let i = 0; i < keys.length; i++) attach(record.entries.get(keys[i]), value[keys[i]]);
    }
  };

  const setOrDelete = (object, key, value) => {
    if (value === undefined) ReflectDeleteProperty(object, key);
    else ReflectDefineProperty(object, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  };

  // internalize is InternalizeJSONProperty. A record is of use as long as the value is
  // still the one that was parsed.
  const internalize = (holder, name, reviver, record) => {
    const value = holder[name];
    if (record !== undefined && !ObjectIs(record.value, value)) record = undefined;
    if (isObject(value)) {
      if (ArrayIsArray(value)) {
        const length = lengthOfArrayLike(value);
        const elements = record === undefined ? undefined : record.elements;
        for (let i = 0; i < length; i++) {
          const element = elements !== undefined && i < elements.length ? elements[i] : undefined;
          setOrDelete(value, `${i}`, internalize(value, `${i}`, reviver, element));
        }
      } else {
        const keys = ObjectKeys(value);
        const entries = record === undefined ? undefined : record.entries;
        for (let i = 0; i < keys.length; i++) {
          const entry = entries === undefined ? undefined : entries.get(keys[i]);
          setOrDelete(value, keys[i], internalize(value, keys[i], reviver, entry));
        }
      }
    }
    const source = record === undefined ? undefined : record.source;
    return ReflectApply(reviver, holder, [name, value, source === undefined ? {} : { source }]);
  };

  // parse is JSON.parse (accessors.js) with a reviver.
  exports.parse = (text, reviver) => {
    text = `${text}`;
    const value = JSONParse(text);
    const record = readRecords(text);
    attach(record, value);
    return internalize({ '': value }, '', reviver, record);
  };
}
