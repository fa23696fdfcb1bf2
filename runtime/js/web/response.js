// Response. https://fetch.spec.whatwg.org/#response-class
//
// A response: {body, headers, status, statusText, type}. All are the program's own, so none has a URL or was redirected.

const { add: addResponseSlots, has: isResponse, of: responseSlots } = newSlots('Response');

function newResponse() {
  const headers = part('headers').newHeaders(newList(), 'none');
  return { __proto__: null, body: null, headers, status: 200, statusText: '', type: 'default' };
}

function responseObject(response) {
  return addResponseSlots({ __proto__: Response.prototype }, response);
}

// toResponseInit reads the dictionary ResponseInit.
function toResponseInit(value, what) {
  const given = toDictionaryObject(value, `${what}: the options`);
  const init = { __proto__: null, headers: undefined, status: 200, statusText: '' };
  if (given === undefined) return init;
  const { headers } = given;
  if (headers !== undefined) init.headers = part('headers').toHeadersInit(headers, what);
  const { status } = given;
  if (status !== undefined) init.status = toUnsignedShort(status, `${what}: status`);
  const { statusText } = given;
  if (statusText !== undefined) init.statusText = toByteString(statusText, `${what}: statusText`);
  return init;
}

// initializeResponse is https://fetch.spec.whatwg.org/#initialize-a-response. withType is {body, type}, or null.
function initializeResponse(response, { headers, status, statusText }, withType, what) {
  if (status < 200 || status > 599) throw new RangeError(`${what}: the status ${status} is outside the range 200 to 599`);
  // https://httpwg.org/specs/rfc9112.html#status.line, reason-phrase: the code points of a quoted string's tokens.
  if (!isQuotedStringToken(statusText)) throw new TypeError(`${what}: statusText has a character that no status line can have`);
  response.status = status;
  response.statusText = statusText;
  if (headers !== undefined) {
    const { fillHeaders, headersSlots } = part('headers');
    fillHeaders(headersSlots(response.headers).list, headers, what);
  }
  if (withType === null) return;
  // https://fetch.spec.whatwg.org/#null-body-status
  if (status === 204 || status === 205 || status === 304) throw new TypeError(`${what}: a response with the status ${status} cannot have a body`);
  response.body = withType.body;
  addContentType(response.headers, withType.type);
}

class Response {
  constructor(body = null, init = undefined) {
    const given = body === null ? null : toBodyInit(body, 'Response');
    const options = toResponseInit(init, 'Response');
    const response = newResponse();
    initializeResponse(response, options, given === null ? null : extractBody(given, 'Response'), 'Response');
    addResponseSlots(this, response);
  }

  static error() {
    const response = newResponse();
    response.type = 'error';
    response.status = 0;
    response.headers = part('headers').newHeaders(newList(), 'immutable');
    return responseObject(response);
  }

  static redirect(url, status = 302) {
    requireArguments(arguments.length, 1, 'Response.redirect');
    const text = toUSVString(url, 'Response.redirect: the URL');
    const code = toUnsignedShort(status, 'Response.redirect: the status');
    const record = parseRelativeURL(text, 'Response.redirect');
    if (code !== 301 && code !== 302 && code !== 303 && code !== 307 && code !== 308) {
      throw new RangeError(`Response.redirect: the status ${code} is not that of a redirect: 301, 302, 303, 307 or 308`);
    }
    const response = newResponse();
    response.status = code;
    const list = newList();
    list[0] = { 0: 'location', 1: part('url').serializeURL(record) };
    response.headers = part('headers').newHeaders(list, 'immutable');
    return responseObject(response);
  }

  static json(data, init = undefined) {
    requireArguments(arguments.length, 1, 'Response.json');
    const options = toResponseInit(init, 'Response.json');
    const text = stringifyJSON(data);
    if (text === undefined) throw new TypeError('Response.json: the value cannot be written as JSON');
    const response = newResponse();
    const { body } = extractBody(text, 'Response.json');
    initializeResponse(response, options, { __proto__: null, body, type: 'application/json' }, 'Response.json');
    return responseObject(response);
  }

  get type() {
    return responseSlots(this, 'Response.type').type;
  }

  get url() {
    responseSlots(this, 'Response.url');
    return '';
  }

  get redirected() {
    responseSlots(this, 'Response.redirected');
    return false;
  }

  get status() {
    return responseSlots(this, 'Response.status').status;
  }

  get ok() {
    return isOkay(responseSlots(this, 'Response.ok'));
  }

  get statusText() {
    return responseSlots(this, 'Response.statusText').statusText;
  }

  get headers() {
    return responseSlots(this, 'Response.headers').headers;
  }

  // https://fetch.spec.whatwg.org/#dom-response-clone
  clone() {
    const response = responseSlots(this, 'Response.clone');
    requireUsable(response.body, 'Response.clone');
    const { headersSlots, newHeaders } = part('headers');
    const { list, guard } = headersSlots(response.headers);
    const copy = newList();
    for (let i = 0; i < list.length; i++) copy[i] = list[i];
    return responseObject({
      __proto__: null, body: cloneBody(response.body), headers: newHeaders(copy, guard), status: response.status,
      statusText: response.statusText, type: response.type,
    });
  }
}

// https://fetch.spec.whatwg.org/#ok-status
function isOkay({ status }) {
  return status >= 200 && status <= 299;
}

function describeResponse(value) {
  const response = responseSlots(value);
  const { body } = response;
  return [
    { 0: 'status', 1: response.status }, { 0: 'statusText', 1: response.statusText }, { 0: 'headers', 1: response.headers },
    { 0: 'body', 1: body === null ? null : streamOf(body) }, { 0: 'bodyUsed', 1: body !== null && isDisturbed(body) },
    { 0: 'ok', 1: isOkay(response) }, { 0: 'redirected', 1: false }, { 0: 'type', 1: response.type }, { 0: 'url', 1: '' },
  ];
}

includeBody(Response, 'Response', responseSlots);
defineInterface(Response, 'Response');
definePlatformKind(Response, 'Response', { __proto__: null, has: isResponse, describe: describeResponse });

exports.Response = Response;
