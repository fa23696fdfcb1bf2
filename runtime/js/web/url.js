// URL: the class. https://url.spec.whatwg.org/#url-class

// The base that was parsed last, since programs resolve many references against one.
let lastBaseText;
let lastBase = null;

// parseBase returns the record of a base, which nobody changes, or null for failure.
function parseBase(text) {
  if (text !== lastBaseText) {
    lastBase = parseQuickly(text) ?? parseURL(scalarValueString(text), null);
    lastBaseText = text;
  }
  return lastBase;
}

// parseAPI is the API URL parser. The arguments are converted already, apart from lone
// surrogates. https://url.spec.whatwg.org/#api-url-parser
function parseAPI(text, base) {
  if (base === undefined) return parseQuickly(text) ?? parseURL(scalarValueString(text), null);
  const baseRecord = parseBase(base);
  return baseRecord === null ? null : parseQuickly(text) ?? parseURL(scalarValueString(text), baseRecord);
}

function invalidURL(text, base) {
  const what = `Invalid URL: ${JSONStringify(cut(text, 200))}`;
  return new TypeError(base === undefined ? what : `${what} with the base ${JSONStringify(cut(base, 200))}`);
}

// recordOf returns the record of a URL object, and throws for anything else.
let isURL;
let recordOf;

class URL {
  #record;
  #query; // the URLSearchParams, once it was asked for

  static {
    isURL = (value) => #record in value;
    recordOf = (value, what = 'URL') => {
      if (!isObject(value) || !(#record in value)) throw illegalInvocation(what);
      return value.#record;
    };
  }

  constructor(url, base = undefined) {
    if (url === INTERNAL) {
      this.#record = base;
      return;
    }
    requireArguments(arguments.length, 1, 'URL constructor');
    const text = toDOMString(url, 'URL constructor: the URL');
    const baseText = base === undefined ? undefined : toDOMString(base, 'URL constructor: the base');
    const record = parseAPI(text, baseText);
    if (record === null) throw invalidURL(text, baseText);
    this.#record = record;
  }

  static parse(url, base = undefined) {
    requireArguments(arguments.length, 1, 'URL.parse');
    const text = toDOMString(url, 'URL.parse: the URL');
    const record = parseAPI(text, base === undefined ? undefined : toDOMString(base, 'URL.parse: the base'));
    return record === null ? null : new URL(INTERNAL, record);
  }

  static canParse(url, base = undefined) {
    requireArguments(arguments.length, 1, 'URL.canParse');
    const text = toDOMString(url, 'URL.canParse: the URL');
    return parseAPI(text, base === undefined ? undefined : toDOMString(base, 'URL.canParse: the base')) !== null;
  }

  get href() {
    return serializeURL(recordOf(this, 'URL.href'));
  }

  set href(value) {
    recordOf(this, 'URL.href');
    const text = toUSVString(value, 'URL.href');
    const record = parseAPI(text, undefined);
    if (record === null) throw invalidURL(text);
    this.#record = record;
    if (this.#query !== undefined) replaceParameters(this.#query, record.query);
  }

  get origin() {
    return serializeOrigin(recordOf(this, 'URL.origin'));
  }

  get protocol() {
    return `${recordOf(this, 'URL.protocol').scheme}:`;
  }

  set protocol(value) {
    const record = recordOf(this, 'URL.protocol');
    changeURL(`${toUSVString(value, 'URL.protocol')}:`, record, SCHEME_START_STATE);
  }

  get username() {
    return recordOf(this, 'URL.username').username;
  }

  set username(value) {
    const record = recordOf(this, 'URL.username');
    const text = toUSVString(value, 'URL.username');
    if (cannotHaveUsernamePasswordPort(record)) return;
    record.href = null;
    record.username = utf8PercentEncode(text, USERINFO_SET);
  }

  get password() {
    return recordOf(this, 'URL.password').password;
  }

  set password(value) {
    const record = recordOf(this, 'URL.password');
    const text = toUSVString(value, 'URL.password');
    if (cannotHaveUsernamePasswordPort(record)) return;
    record.href = null;
    record.password = utf8PercentEncode(text, USERINFO_SET);
  }

  get host() {
    const record = recordOf(this, 'URL.host');
    return record.host === null ? '' : serializeHostAndPort(record);
  }

  set host(value) {
    const record = recordOf(this, 'URL.host');
    const text = toUSVString(value, 'URL.host');
    if (!record.opaque) changeURL(text, record, HOST_STATE);
  }

  get hostname() {
    return recordOf(this, 'URL.hostname').host ?? '';
  }

  set hostname(value) {
    const record = recordOf(this, 'URL.hostname');
    const text = toUSVString(value, 'URL.hostname');
    if (!record.opaque) changeURL(text, record, HOSTNAME_STATE);
  }

  get port() {
    const { port } = recordOf(this, 'URL.port');
    return port === null ? '' : `${port}`;
  }

  set port(value) {
    const record = recordOf(this, 'URL.port');
    const text = toUSVString(value, 'URL.port');
    if (cannotHaveUsernamePasswordPort(record)) return;
    if (text === '') {
      record.href = null;
      record.port = null;
    } else {
      changeURL(text, record, PORT_STATE);
    }
  }

  get pathname() {
    return recordOf(this, 'URL.pathname').path;
  }

  set pathname(value) {
    const record = recordOf(this, 'URL.pathname');
    const text = toUSVString(value, 'URL.pathname');
    if (record.opaque) return;
    record.path = '';
    changeURL(text, record, PATH_START_STATE);
  }

  get search() {
    const { query } = recordOf(this, 'URL.search');
    return query === null || query === '' ? '' : `?${query}`;
  }

  set search(value) {
    const record = recordOf(this, 'URL.search');
    const text = toUSVString(value, 'URL.search');
    if (text === '') {
      record.href = null;
      record.query = null;
    } else {
      changeURL(StringPrototypeStartsWith(text, '?') ? StringPrototypeSlice(text, 1) : text, record, QUERY_STATE);
    }
    if (this.#query !== undefined) replaceParameters(this.#query, record.query);
  }

  get searchParams() {
    const record = recordOf(this, 'URL.searchParams');
    if (this.#query === undefined) {
      this.#query = new URLSearchParams(INTERNAL, record.query, (query) => {
        // The record is another one after href was set.
        this.#record.href = null;
        this.#record.query = query;
      });
    }
    return this.#query;
  }

  get hash() {
    const { fragment } = recordOf(this, 'URL.hash');
    return fragment === null || fragment === '' ? '' : `#${fragment}`;
  }

  set hash(value) {
    const record = recordOf(this, 'URL.hash');
    const text = toUSVString(value, 'URL.hash');
    if (text === '') {
      record.href = null;
      record.fragment = null;
    } else {
      changeURL(StringPrototypeStartsWith(text, '#') ? StringPrototypeSlice(text, 1) : text, record, FRAGMENT_STATE);
    }
  }

  toString() {
    return serializeURL(recordOf(this, 'URL.toString'));
  }

  toJSON() {
    return serializeURL(recordOf(this, 'URL.toJSON'));
  }
}

// hrefOf returns the href of a URL whatever a program has done to the class.
function hrefOf(value) {
  return serializeURL(recordOf(value));
}

exports.URL = defineInterface(URL, 'URL');
exports.hrefOf = hrefOf;
exports.isURL = isURL;
exports.parseAPI = parseAPI;
exports.serializeURL = serializeURL;
exports.serializeOrigin = serializeOrigin;
exports.includesCredentials = includesCredentials;
// The URL that a text is the href of, or null.
exports.fromHref = (text) => {
  const record = parseAPI(text, undefined);
  return record === null ? null : new URL(INTERNAL, record);
};
definePlatformKind(URL, 'URL', { __proto__: null, has: isURL, describe: (url) => [{ 0: 'href', 1: hrefOf(url) }] });
