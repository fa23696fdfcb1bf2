// The Body mixin: members that requests and responses have in common.
// https://fetch.spec.whatwg.org/#body-mixin

// consumeBody returns the promise of what convert makes of the bytes of a body. isOwn says that nothing else
// has the bytes. https://fetch.spec.whatwg.org/#concept-body-consume-body
function consumeBody(slotsOf, receiver, what, convert) {
  return new Promise((resolve, reject) => {
    const slots = slotsOf(receiver, what);
    const { body } = slots;
    requireUsable(body, what);
    if (body === null) {
      resolve(convert(new Uint8Array(0), slots, true));
    } else if (body.stream === undefined) {
      body.used = true;
      resolve(convert(body.bytes, slots, false));
    } else {
      part('streams').readAllBytes(body.stream, (bytes) => {
        let value;
        try {
          value = convert(bytes, slots, true);
        } catch (error) {
          reject(error);
          return;
        }
        resolve(value);
      }, reject);
    }
  });
}

function asBytes(bytes, slots, isOwn) {
  return isOwn ? bytes : copyOfBytes(bytes);
}

function asArrayBuffer(bytes, slots, isOwn) {
  return TypedArrayPrototypeGetBuffer(asBytes(bytes, slots, isOwn));
}

function mimeTypeOf({ headers }) {
  return extractMIMEType(part('headers').headersSlots(headers).list);
}

function asBlob(bytes, slots) {
  const mimeType = mimeTypeOf(slots);
  return part('blob').newBlob(bytes, mimeType === undefined ? '' : serializeMIMEType(mimeType));
}

// https://encoding.spec.whatwg.org/#utf-8-decode
function asText(bytes) {
  const text = native(UTF8_READ, bytes, false);
  return StringPrototypeCharCodeAt(text, 0) === 0xfeff ? StringPrototypeSlice(text, 1) : text;
}

function asJSON(bytes) {
  return JSONParse(asText(bytes));
}

// https://fetch.spec.whatwg.org/#dom-body-formdata
function asFormData(bytes, slots) {
  const mimeType = mimeTypeOf(slots);
  const { newFormData } = part('form_data');
  switch (mimeType === undefined ? '' : mimeType.essence) {
    case 'multipart/form-data': return newFormData(parseMultipart(bytes, mimeType.parameters.get('boundary')));
    case 'application/x-www-form-urlencoded': return newFormData(part('url').parseForm(formText(bytes)));
  }
  throw new TypeError('formData: the type of the body is neither multipart/form-data nor application/x-www-form-urlencoded');
}

// formText returns bytes as a text that the parser of forms, which works on texts, takes for the same.
function formText(bytes) {
  const text = native(UTF8_READ, bytes, true);
  if (text !== undefined) return text;
  // The bytes are not UTF-8. They may be with those that are percent-encoded around them.
  let encoded = '';
  const length = TypedArrayPrototypeGetLength(bytes);
  for (let i = 0; i < length; i++) {
    const byte = bytes[i];
    encoded += byte < 0x80 ? StringFromCharCode(byte) : `%${UPPER_DIGITS[byte >> 4]}${UPPER_DIGITS[byte & 15]}`;
  }
  return encoded;
}

const UPPER_DIGITS = '0123456789ABCDEF';

// includeBody gives an interface the members of the mixin. slotsOf(value, what) returns {body, headers, …} of an
// instance and throws a TypeError that names what for other values.
function includeBody(constructor, name, slotsOf) {
  const members = {
    get body() {
      const { body } = slotsOf(this, `${name}.body`);
      return body === null ? null : streamOf(body);
    },
    get bodyUsed() {
      const { body } = slotsOf(this, `${name}.bodyUsed`);
      return body !== null && isDisturbed(body);
    },
    arrayBuffer() {
      return consumeBody(slotsOf, this, `${name}.arrayBuffer`, asArrayBuffer);
    },
    blob() {
      return consumeBody(slotsOf, this, `${name}.blob`, asBlob);
    },
    bytes() {
      return consumeBody(slotsOf, this, `${name}.bytes`, asBytes);
    },
    formData() {
      return consumeBody(slotsOf, this, `${name}.formData`, asFormData);
    },
    json() {
      return consumeBody(slotsOf, this, `${name}.json`, asJSON);
    },
    text() {
      return consumeBody(slotsOf, this, `${name}.text`, asText);
    },
  };
  const names = ObjectKeys(members);
  for (let i = 0; i < names.length; i++) {
    ObjectDefineProperty(constructor.prototype, names[i], nullPrototype(ObjectGetOwnPropertyDescriptor(members, names[i])));
  }
}

// nullPrototype keeps a descriptor from what a program may have put on Object.prototype.
function nullPrototype(descriptor) {
  return ObjectSetPrototypeOf(descriptor, null);
}
