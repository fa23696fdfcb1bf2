// URLSearchParams: the names and values of a query.
// https://url.spec.whatwg.org/#interface-urlsearchparams

// listOf returns the list of a URLSearchParams (url_form.js), and throws for anything else;
// replaceParameters gives one the list of another query.
let isURLSearchParams;
let listOf;
let replaceParameters;

class URLSearchParams {
  #list;
  #update; // of one that belongs to a URL: called with its new query

  static {
    isURLSearchParams = (value) => #list in value;
    listOf = (value, what = 'URLSearchParams') => {
      if (!isObject(value) || !(#list in value)) throw illegalInvocation(what);
      return value.#list;
    };
    replaceParameters = (params, query) => {
      params.#list = listOfQuery(query);
    };
  }

  constructor(init = undefined) {
    if (init === INTERNAL) {
      this.#list = listOfQuery(arguments[1]);
      this.#update = arguments[2];
    } else {
      this.#list = init === undefined ? newList() : initialList(init);
    }
  }

  // https://url.spec.whatwg.org/#concept-urlsearchparams-update
  #changed() {
    if (this.#update === undefined) return;
    const query = serializeForm(this.#list);
    this.#update(query === '' ? null : query);
  }

  get size() {
    return listOf(this, 'URLSearchParams.size').length;
  }

  append(name, value) {
    listOf(this, 'URLSearchParams.append');
    requireArguments(arguments.length, 2, 'URLSearchParams.append');
    const nameText = toUSVString(name, 'URLSearchParams.append: the name');
    const valueText = toUSVString(value, 'URLSearchParams.append: the value');
    // Only now, because the conversions may have run code that changed it.
    const list = this.#list;
    list[list.length] = { 0: nameText, 1: valueText };
    this.#changed();
  }

  delete(name, value = undefined) {
    listOf(this, 'URLSearchParams.delete');
    requireArguments(arguments.length, 1, 'URLSearchParams.delete');
    const nameText = toUSVString(name, 'URLSearchParams.delete: the name');
    const valueText = value === undefined ? undefined : toUSVString(value, 'URLSearchParams.delete: the value');
    const list = this.#list;
    let size = 0;
    for (let i = 0; i < list.length; i++) {
      if (!isMatch(list[i], nameText, valueText)) list[size++] = list[i];
    }
    list.length = size;
    this.#changed();
  }

  get(name) {
    listOf(this, 'URLSearchParams.get');
    requireArguments(arguments.length, 1, 'URLSearchParams.get');
    const text = toUSVString(name, 'URLSearchParams.get: the name');
    const list = this.#list;
    for (let i = 0; i < list.length; i++) if (list[i][0] === text) return list[i][1];
    return null;
  }

  getAll(name) {
    listOf(this, 'URLSearchParams.getAll');
    requireArguments(arguments.length, 1, 'URLSearchParams.getAll');
    const text = toUSVString(name, 'URLSearchParams.getAll: the name');
    const list = this.#list;
    const values = [];
    for (let i = 0; i < list.length; i++) if (list[i][0] === text) visible(values, values.length, list[i][1]);
    return values;
  }

  has(name, value = undefined) {
    listOf(this, 'URLSearchParams.has');
    requireArguments(arguments.length, 1, 'URLSearchParams.has');
    const nameText = toUSVString(name, 'URLSearchParams.has: the name');
    const valueText = value === undefined ? undefined : toUSVString(value, 'URLSearchParams.has: the value');
    const list = this.#list;
    for (let i = 0; i < list.length; i++) if (isMatch(list[i], nameText, valueText)) return true;
    return false;
  }

  set(name, value) {
    listOf(this, 'URLSearchParams.set');
    requireArguments(arguments.length, 2, 'URLSearchParams.set');
    const nameText = toUSVString(name, 'URLSearchParams.set: the name');
    const valueText = toUSVString(value, 'URLSearchParams.set: the value');
    const list = this.#list;
    const pair = { 0: nameText, 1: valueText };
    let size = 0;
    let found = false;
    for (let i = 0; i < list.length; i++) {
      if (list[i][0] !== nameText) {
        list[size++] = list[i];
      } else if (!found) {
        found = true;
        list[size++] = pair;
      }
    }
    list.length = size;
    if (!found) list[size] = pair;
    this.#changed();
  }

  // Strings compare by their code units, and the engine's sort is stable.
  // https://url.spec.whatwg.org/#dom-urlsearchparams-sort
  sort() {
    const list = listOf(this, 'URLSearchParams.sort');
    ArrayPrototypeSort(list, (a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#changed();
  }

  toString() {
    return serializeForm(listOf(this, 'URLSearchParams.toString'));
  }
}

function listOfQuery(query) {
  return query === null ? newList() : parseForm(query);
}

// isMatch reports whether a pair has a name and, when there is one, a value.
function isMatch(pair, name, value) {
  return pair[0] === name && (value === undefined || pair[1] === value);
}

// initialList converts the argument of the constructor: a sequence of pairs, a record or
// a string. https://url.spec.whatwg.org/#urlsearchparams-initialize
function initialList(init) {
  const what = 'URLSearchParams constructor: the argument';
  if (!isObject(init)) {
    const text = toUSVString(init, what);
    return parseForm(StringPrototypeStartsWith(text, '?') ? StringPrototypeSlice(text, 1) : text);
  }
  const method = init[SymbolIterator];
  if (method === undefined || method === null) return toRecord(init, what, toUSVString, toUSVString);
  const pairs = sequenceFrom(init, method, what, (pair, whatPair) => toSequence(pair, whatPair, toUSVString));
  for (let i = 0; i < pairs.length; i++) {
    if (pairs[i].length !== 2) throw new TypeError(`${what}: element ${i} is not a pair of a name and a value`);
    pairs[i] = { 0: pairs[i][0], 1: pairs[i][1] };
  }
  return pairs;
}

exports.isURLSearchParams = isURLSearchParams;
exports.listOf = listOf;
exports.parseForm = parseForm;
exports.serializeForm = serializeForm;
exports.URLSearchParams = defineInterface(URLSearchParams, 'URLSearchParams');
definePairIterable(URLSearchParams, 'URLSearchParams', listOf);
definePlatformKind(URLSearchParams, 'URLSearchParams', { __proto__: null, has: isURLSearchParams, describe: listOf });
