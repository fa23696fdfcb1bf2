// RequestInit: what a request is made from, and the checks that need no request.
// https://fetch.spec.whatwg.org/#requestinit

const CACHE_MODES = ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'];
const CREDENTIALS_MODES = ['omit', 'same-origin', 'include'];
const DUPLEXES = ['half'];
const MODES = ['navigate', 'same-origin', 'no-cors', 'cors'];
const PRIORITIES = ['high', 'low', 'auto'];
const REDIRECT_MODES = ['follow', 'error', 'manual'];
const REFERRER_POLICIES = [
  '', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin',
  'strict-origin-when-cross-origin', 'unsafe-url',
];

// toRequestInit reads the dictionary. A member that is absent is undefined; isEmpty says that all are.
function toRequestInit(value, what) {
  const given = toDictionaryObject(value, `${what}: the options`);
  const init = {
    __proto__: null, isEmpty: true, body: undefined, cache: undefined, credentials: undefined, duplex: undefined,
    headers: undefined, integrity: undefined, keepalive: undefined, method: undefined, mode: undefined, priority: undefined,
    redirect: undefined, referrer: undefined, referrerPolicy: undefined, signal: undefined, window: undefined,
  };
  if (given === undefined) return init;
  const read = (name, convert) => {
    const member = given[name];
    if (member === undefined) return;
    init.isEmpty = false;
    init[name] = convert(member, `${what}: ${name}`);
  };
  const oneOf = (names) => (member, which) => toEnumeration(member, names, which);
  read('body', (member) => (member === null ? null : toBodyInit(member, what)));
  read('cache', oneOf(CACHE_MODES));
  read('credentials', oneOf(CREDENTIALS_MODES));
  read('duplex', oneOf(DUPLEXES));
  read('headers', (member) => part('headers').toHeadersInit(member, what));
  read('integrity', toDOMString);
  read('keepalive', (member) => !!member);
  read('method', toByteString);
  read('mode', oneOf(MODES));
  read('priority', oneOf(PRIORITIES));
  read('redirect', oneOf(REDIRECT_MODES));
  read('referrer', toUSVString);
  read('referrerPolicy', oneOf(REFERRER_POLICIES));
  read('signal', toSignal);
  read('window', (member) => member);
  return init;
}

function toSignal(value, what) {
  if (value === null) return null;
  if (!isBuilt('events') || !part('events').isAbortSignal(value)) throw new TypeError(`${what} is not an AbortSignal`);
  return value;
}

// apiBaseURL returns the text of the API base URL, or undefined. Here is no page to be relative to, so there
// is none unless the program says what it is: by a global named location, a URL or an object with an href, as
// stand-ins for a browser define it. No getter of the program's runs.
// https://html.spec.whatwg.org/multipage/webappapis.html#api-base-url
function apiBaseURL() {
  const location = dataOf(globalObject, 'location');
  if (!isObject(location)) return undefined;
  const { isURL, hrefOf, parseAPI } = part('url');
  const href = isURL(location) ? hrefOf(location) : dataOf(location, 'href');
  return typeof href === 'string' && parseAPI(href, undefined) !== null ? href : undefined;
}

// parseRelativeURL returns the record of a URL, and throws when it cannot be parsed.
function parseRelativeURL(text, what) {
  const base = apiBaseURL();
  const record = part('url').parseAPI(text, base);
  if (record !== null) return record;
  const hint = base === undefined ? '; it must be an absolute one' : '';
  throw new TypeError(`${what}: Invalid URL: ${JSONStringify(cut(text, 200))}${hint}`);
}

// https://fetch.spec.whatwg.org/#concept-method-normalize, behind the checks of the Request constructor
function toMethod(method) {
  if (!part('headers').isToken(method)) throw new TypeError(`Request: ${JSONStringify(cut(method, 64))} is no name of a method`);
  switch (StringPrototypeToLowerCase(method)) {
    case 'delete': return 'DELETE';
    case 'get': return 'GET';
    case 'head': return 'HEAD';
    case 'options': return 'OPTIONS';
    case 'post': return 'POST';
    case 'put': return 'PUT';
    // https://fetch.spec.whatwg.org/#forbidden-method
    case 'connect': case 'trace': case 'track': throw new TypeError(`Request: the method ${method} is forbidden`);
    default: return method;
  }
}

// toReferrer returns what the attribute referrer says. A referrer of another origin than the program's, where it
// has one, is as good as none. https://fetch.spec.whatwg.org/#dom-request, step 14
function toReferrer(text) {
  if (text === '') return '';
  const { serializeOrigin, serializeURL, parseAPI } = part('url');
  const record = parseRelativeURL(text, 'Request: the referrer');
  if (record.scheme === 'about' && record.path === 'client') return 'about:client';
  const base = apiBaseURL();
  if (base !== undefined && serializeOrigin(parseAPI(base, undefined)) !== serializeOrigin(record)) return 'about:client';
  return serializeURL(record);
}
