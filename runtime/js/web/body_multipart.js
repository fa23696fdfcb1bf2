// multipart/form-data: the entries of a form as bytes.
// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data

// A boundary is of 128 random bits, in lower case because a blob may lower its type's case.
function newBoundary() {
  const bytes = new Uint8Array(16);
  native(RANDOM, bytes);
  let text = '----formdata-isogate-';
  for (let i = 0; i < 16; i++) text += `${'0123456789abcdef'[bytes[i] >> 4]}${'0123456789abcdef'[bytes[i] & 15]}`;
  return text;
}

function utf8Encode(text) {
  const bytes = new Uint8Array(native(UTF8_LENGTH, text));
  native(UTF8_WRITE, text, bytes);
  return bytes;
}

function replaceAll(text, what, by) {
  let at = StringPrototypeIndexOf(text, what);
  if (at < 0) return text;
  let out = '';
  let from = 0;
  for (; at >= 0; at = StringPrototypeIndexOf(text, what, from)) {
    out += StringPrototypeSlice(text, from, at) + by;
    from = at + what.length;
  }
  return out + StringPrototypeSlice(text, from);
}

// normalizeNewlines makes each CR, LF and CRLF a CRLF.
function normalizeNewlines(text) {
  return replaceAll(replaceAll(replaceAll(text, '\r\n', '\n'), '\r', '\n'), '\n', '\r\n');
}

function escapeName(text) {
  return replaceAll(replaceAll(replaceAll(text, '\n', '%0A'), '\r', '%0D'), '"', '%22');
}

// encodeMultipart returns the bytes of a list of entries {0: name, 1: a text or a file}.
function encodeMultipart(entries, boundary) {
  const pieces = newList();
  let size = 0;
  const add = (bytes) => {
    pieces[pieces.length] = bytes;
    size += TypedArrayPrototypeGetLength(bytes);
  };
  for (let i = 0; i < entries.length; i++) {
    const value = entries[i][1];
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(normalizeNewlines(entries[i][0]))}"`;
    if (typeof value === 'string') {
      add(utf8Encode(`${head}\r\n\r\n${normalizeNewlines(value)}\r\n`));
      continue;
    }
    const { blobSlots, fileSlots } = part('blob');
    const { bytes, type } = blobSlots(value);
    const name = escapeName(fileSlots(value).name);
    add(utf8Encode(`${head}; filename="${name}"\r\nContent-Type: ${type === '' ? 'application/octet-stream' : type}\r\n\r\n`));
    add(bytes);
    add(utf8Encode('\r\n'));
  }
  add(utf8Encode(`--${boundary}--\r\n`));
  const all = new Uint8Array(size);
  let at = 0;
  for (let i = 0; i < pieces.length; i++) {
    TypedArrayPrototypeSet(all, pieces[i], at);
    at += TypedArrayPrototypeGetLength(pieces[i]);
  }
  return all;
}
