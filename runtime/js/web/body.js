// Bodies: what they are extracted from, and how they are copied.
// https://fetch.spec.whatwg.org/#bodies
//
// A body: {bytes, stream, used}. The bytes, of which no program ever gets hold, are null for a body that
// came as a stream. The stream of a body of bytes is made when a program asks for it; until then used says
// whether the body was read. So most bodies need no streams at all.

function newBody(bytes) {
  return { __proto__: null, bytes, stream: undefined, used: false };
}

function isStream(value) {
  return isBuilt('streams') && part('streams').isReadableStream(value);
}

function isBlobObject(value) {
  return isBuilt('blob') && part('blob').isBlob(value);
}

function isForm(value) {
  return isBuilt('form_data') && part('form_data').isFormData(value);
}

function isQuery(value) {
  return isBuilt('url') && part('url').isURLSearchParams(value);
}

// toBodyInit converts to BodyInit: other objects than those that it names become texts.
function toBodyInit(value, what) {
  if (isObject(value)) {
    if (isStream(value) || isBlobObject(value) || isForm(value) || isQuery(value)) return value;
    if (ArrayBufferIsView(value) || (native(KIND_OF, value) & KIND_ARRAY_BUFFER) !== 0) return value;
  }
  return toUSVString(value, `${what}: the body`);
}

// extractBody returns {body, type}; the type is null when nothing says what the bytes are.
// https://fetch.spec.whatwg.org/#concept-bodyinit-extract
function extractBody(object, what, keepalive = false) {
  if (typeof object === 'string') return extracted(utf8Encode(object), 'text/plain;charset=UTF-8');
  if (isStream(object)) {
    if (keepalive) throw new TypeError(`${what}: a stream cannot be the body of a request that is kept alive`);
    const body = { __proto__: null, bytes: null, stream: object, used: false };
    if (isUnusable(body)) throw new TypeError(`${what}: the stream was read from already, or is locked to a reader`);
    return { __proto__: null, body, type: null };
  }
  if (isBlobObject(object)) {
    const { bytes, type } = part('blob').blobSlots(object);
    return extracted(bytes, type === '' ? null : type);
  }
  if (isForm(object)) {
    const boundary = newBoundary();
    const bytes = encodeMultipart(part('form_data').formDataSlots(object).entries, boundary);
    return extracted(bytes, `multipart/form-data; boundary=${boundary}`);
  }
  if (isQuery(object)) {
    const { serializeForm, listOf } = part('url');
    return extracted(utf8Encode(serializeForm(listOf(object))), 'application/x-www-form-urlencoded;charset=UTF-8');
  }
  return extracted(copyOfSource(object), null);
}

function extracted(bytes, type) {
  return { __proto__: null, body: newBody(bytes), type };
}

// copyOfSource returns a copy of the bytes of a buffer source, none when it is detached.
// https://webidl.spec.whatwg.org/#dfn-get-buffer-source-copy
function copyOfSource(source) {
  if (!ArrayBufferIsView(source)) return isDetachedBuffer(source) ? new Uint8Array(0) : copyOfBytes(bytesOf(source, 'ArrayBuffer'));
  const isDataView = TypedArrayPrototypeGetToStringTag(source) === undefined;
  const buffer = isDataView ? DataViewPrototypeGetBuffer(source) : TypedArrayPrototypeGetBuffer(source);
  if (isDetachedBuffer(buffer)) return new Uint8Array(0);
  return copyOfBytes(bytesOf(source, isDataView ? 'DataView' : 'TypedArray'));
}

function copyOfBytes(bytes) {
  const copy = new Uint8Array(TypedArrayPrototypeGetLength(bytes));
  TypedArrayPrototypeSet(copy, bytes);
  return copy;
}

function isDisturbed({ stream, used }) {
  return stream === undefined ? used : part('streams').isDisturbedStream(stream);
}

// https://fetch.spec.whatwg.org/#body-unusable
function isUnusable(body) {
  return isDisturbed(body) || (body.stream !== undefined && part('streams').isLockedStream(body.stream));
}

function requireUsable(body, what) {
  if (body !== null && isUnusable(body)) throw new TypeError(`${what}: the body was read already, or is locked to a reader`);
}

// streamOf returns the stream of a body.
function streamOf(body) {
  if (body.stream === undefined) {
    const { newStreamOfBytes, newReadStream } = part('streams');
    body.stream = body.used ? newReadStream() : newStreamOfBytes(body.bytes);
  }
  return body.stream;
}

// https://fetch.spec.whatwg.org/#concept-body-clone
function cloneBody(body) {
  if (body === null) return null;
  if (body.stream === undefined) return newBody(body.bytes);
  const branches = part('streams').teeStream(body.stream);
  body.stream = branches[0];
  return { __proto__: null, bytes: body.bytes, stream: branches[1], used: false };
}

// proxyBody returns a body with what another had, which counts as read then.
// https://fetch.spec.whatwg.org/#concept-body-proxy
function proxyBody(body) {
  if (body.stream !== undefined) {
    return { __proto__: null, bytes: body.bytes, stream: part('streams').proxyStream(body.stream), used: false };
  }
  body.used = true;
  return newBody(body.bytes);
}
