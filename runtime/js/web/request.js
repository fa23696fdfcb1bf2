// Request. https://fetch.spec.whatwg.org/#request-class
//
// Nothing sends a request: it is what a program gives to others, or was given. A request:
// {body, cache, credentials, follows, headers, integrity, keepalive, method, mode, redirect, referrer,
// referrerPolicy, signal, url}. The signal is made when it is asked for, and follows the signal in follows,
// which may be null.

const { add: addRequestSlots, has: isRequest, of: requestSlots } = newSlots('Request');

function requestOfURL(text) {
  const record = parseRelativeURL(text, 'Request');
  const { includesCredentials, serializeURL } = part('url');
  if (includesCredentials(record)) throw new TypeError('Request: the URL has a user name or a password, which belong into a header');
  return {
    __proto__: null, body: null, cache: 'default', credentials: 'same-origin', follows: null,
    headers: part('headers').newHeaders(newList(), 'none'), integrity: '', keepalive: false, method: 'GET', mode: 'cors',
    redirect: 'follow', referrer: 'about:client', referrerPolicy: '', signal: undefined, url: serializeURL(record),
  };
}

// copyOfRequest returns a request like another, without its body.
function copyOfRequest(request) {
  const { headersSlots, newHeaders } = part('headers');
  const { list } = headersSlots(request.headers);
  const copy = newList();
  for (let i = 0; i < list.length; i++) copy[i] = list[i];
  return {
    __proto__: null, body: null, cache: request.cache, credentials: request.credentials, follows: request.signal ?? request.follows,
    headers: newHeaders(copy, 'none'), integrity: request.integrity, keepalive: request.keepalive, method: request.method,
    mode: request.mode, redirect: request.redirect, referrer: request.referrer, referrerPolicy: request.referrerPolicy,
    signal: undefined, url: request.url,
  };
}

// newRequest is what the constructor does behind the conversions: source is the request that was given, text the
// URL when none was. https://fetch.spec.whatwg.org/#dom-request
function newRequest(source, text, init) {
  const request = source === undefined ? requestOfURL(text) : copyOfRequest(source);
  if (init.window !== undefined && init.window !== null) throw new TypeError('Request: window can be null only');
  if (!init.isEmpty) {
    request.referrer = 'about:client';
    request.referrerPolicy = '';
  }
  if (init.referrer !== undefined) request.referrer = toReferrer(init.referrer);
  if (init.referrerPolicy !== undefined) request.referrerPolicy = init.referrerPolicy;
  if (init.mode === 'navigate') throw new TypeError('Request: the mode cannot be navigate');
  if (init.mode !== undefined) request.mode = init.mode;
  if (init.credentials !== undefined) request.credentials = init.credentials;
  if (init.cache !== undefined) request.cache = init.cache;
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') {
    throw new TypeError('Request: the cache mode only-if-cached needs the mode same-origin');
  }
  if (init.redirect !== undefined) request.redirect = init.redirect;
  if (init.integrity !== undefined) request.integrity = init.integrity;
  if (init.keepalive !== undefined) request.keepalive = init.keepalive;
  if (init.method !== undefined) request.method = toMethod(init.method);
  if (init.signal !== undefined) request.follows = init.signal;
  const { method } = request;
  if (request.mode === 'no-cors' && method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    throw new TypeError(`Request: the mode no-cors allows no method ${cut(method, 64)}`);
  }
  if (init.headers !== undefined) {
    const { fillHeaders, newHeaders } = part('headers');
    const list = newList();
    fillHeaders(list, init.headers, 'Request');
    request.headers = newHeaders(list, 'none');
  }
  request.body = newRequestBody(request, source === undefined ? null : source.body, init);
  return request;
}

// newRequestBody returns the body of a request: that of the options, else the one that the given request had.
function newRequestBody(request, inputBody, { body, duplex }) {
  const given = body !== undefined && body !== null;
  const { method } = request;
  if ((given || inputBody !== null) && (method === 'GET' || method === 'HEAD')) {
    throw new TypeError(`Request: a request with the method ${method} cannot have a body`);
  }
  let initBody = null;
  if (given) {
    const { body: extractedBody, type } = extractBody(body, 'Request', request.keepalive);
    initBody = extractedBody;
    addContentType(request.headers, type);
  }
  const eitherBody = initBody ?? inputBody;
  if (eitherBody !== null && eitherBody.bytes === null) {
    if (initBody !== null && duplex === undefined) throw new TypeError("Request: a body that is a stream needs duplex: 'half'");
    if (request.mode !== 'same-origin' && request.mode !== 'cors') {
      throw new TypeError('Request: a body that is a stream needs the mode same-origin or cors');
    }
  }
  if (initBody !== null || inputBody === null) return initBody;
  requireUsable(inputBody, 'Request');
  return proxyBody(inputBody);
}

// addContentType adds the type of a body, unless the headers have one.
function addContentType(headers, type) {
  const { combined, headersSlots } = part('headers');
  const { list } = headersSlots(headers);
  if (type !== null && combined(list, 'content-type') === null) list[list.length] = { 0: 'content-type', 1: type };
}

// signalOf returns the signal of a request. https://fetch.spec.whatwg.org/#request-signal
function signalOf(request) {
  if (request.signal === undefined) {
    const sources = newList();
    if (request.follows !== null) sources[0] = request.follows;
    request.signal = part('events').newDependentSignal(sources);
  }
  return request.signal;
}

class Request {
  constructor(input, init = undefined) {
    requireArguments(arguments.length, 1, 'Request');
    const source = isRequest(input) ? requestSlots(input) : undefined;
    const text = source === undefined ? toUSVString(input, 'Request: the URL') : undefined;
    addRequestSlots(this, newRequest(source, text, toRequestInit(init, 'Request')));
  }

  get method() {
    return requestSlots(this, 'Request.method').method;
  }

  get url() {
    return requestSlots(this, 'Request.url').url;
  }

  get headers() {
    return requestSlots(this, 'Request.headers').headers;
  }

  get destination() {
    requestSlots(this, 'Request.destination');
    return '';
  }

  get referrer() {
    return requestSlots(this, 'Request.referrer').referrer;
  }

  get referrerPolicy() {
    return requestSlots(this, 'Request.referrerPolicy').referrerPolicy;
  }

  get mode() {
    return requestSlots(this, 'Request.mode').mode;
  }

  get credentials() {
    return requestSlots(this, 'Request.credentials').credentials;
  }

  get cache() {
    return requestSlots(this, 'Request.cache').cache;
  }

  get redirect() {
    return requestSlots(this, 'Request.redirect').redirect;
  }

  get integrity() {
    return requestSlots(this, 'Request.integrity').integrity;
  }

  get keepalive() {
    return requestSlots(this, 'Request.keepalive').keepalive;
  }

  get isReloadNavigation() {
    requestSlots(this, 'Request.isReloadNavigation');
    return false;
  }

  get isHistoryNavigation() {
    requestSlots(this, 'Request.isHistoryNavigation');
    return false;
  }

  get signal() {
    return signalOf(requestSlots(this, 'Request.signal'));
  }

  get duplex() {
    requestSlots(this, 'Request.duplex');
    return 'half';
  }

  // https://fetch.spec.whatwg.org/#dom-request-clone
  clone() {
    const request = requestSlots(this, 'Request.clone');
    requireUsable(request.body, 'Request.clone');
    const copy = copyOfRequest(request);
    copy.body = cloneBody(request.body);
    return addRequestSlots({ __proto__: Request.prototype }, copy);
  }
}

function describeRequest(value) {
  const request = requestSlots(value);
  return [
    { 0: 'method', 1: request.method }, { 0: 'url', 1: request.url }, { 0: 'headers', 1: request.headers },
    { 0: 'destination', 1: '' }, { 0: 'referrer', 1: request.referrer }, { 0: 'referrerPolicy', 1: request.referrerPolicy },
    { 0: 'mode', 1: request.mode }, { 0: 'credentials', 1: request.credentials }, { 0: 'cache', 1: request.cache },
    { 0: 'redirect', 1: request.redirect }, { 0: 'integrity', 1: request.integrity }, { 0: 'keepalive', 1: request.keepalive },
    { 0: 'isReloadNavigation', 1: false }, { 0: 'isHistoryNavigation', 1: false }, { 0: 'signal', 1: signalOf(request) },
  ];
}

includeBody(Request, 'Request', requestSlots);
defineInterface(Request, 'Request');
definePlatformKind(Request, 'Request', { __proto__: null, has: isRequest, describe: describeRequest });

exports.Request = Request;
