// URL records: the parts of a URL, and their serialisation.
// https://url.spec.whatwg.org/#url-representation
//
// A host is kept as its serialisation. A path that is not opaque, a list of segments,
// is kept as its serialisation too: a solidus in front of each segment, none of which
// has one within. So '' is the empty list and '/' the list of one empty segment.

class URLRecord {
  constructor() {
    this.scheme = '';
    this.username = '';
    this.password = '';
    this.host = null;
    this.port = null;
    this.path = '';
    this.opaque = false; // whether the path is opaque
    this.query = null;
    this.fragment = null;
    this.href = null; // the serialisation, once it is known
  }
}
ObjectSetPrototypeOf(URLRecord.prototype, null);

// defaultPort returns the default port of a special scheme, null for the one that has
// none, undefined for a scheme that is not special. https://url.spec.whatwg.org/#special-scheme
function defaultPort(scheme) {
  switch (scheme) {
    case 'https': case 'wss': return 443;
    case 'http': case 'ws': return 80;
    case 'ftp': return 21;
    case 'file': return null;
    default: return undefined;
  }
}

function isSpecial(url) {
  return defaultPort(url.scheme) !== undefined;
}

// https://url.spec.whatwg.org/#include-credentials
function includesCredentials(url) {
  return url.username !== '' || url.password !== '';
}

// https://url.spec.whatwg.org/#cannot-have-a-username-password-port
function cannotHaveUsernamePasswordPort(url) {
  return url.host === null || url.host === '' || url.scheme === 'file';
}

// https://url.spec.whatwg.org/#concept-url-serializer
function serializeURL(url) {
  if (url.href === null) url.href = buildHref(url);
  return url.href;
}

function buildHref(url) {
  let output = `${url.scheme}:`;
  if (url.host !== null) {
    output += '//';
    if (includesCredentials(url)) {
      output += url.username;
      if (url.password !== '') output += `:${url.password}`;
      output += '@';
    }
    output += serializeHostAndPort(url);
  } else if (!url.opaque && StringPrototypeStartsWith(url.path, '//')) {
    output += '/.';
  }
  output += url.path;
  if (url.query !== null) output += `?${url.query}`;
  if (url.fragment !== null) output += `#${url.fragment}`;
  return output;
}

function serializeHostAndPort(url) {
  return url.port === null ? url.host : `${url.host}:${url.port}`;
}

// serializeOrigin returns the serialisation of the origin of a URL.
// https://url.spec.whatwg.org/#concept-url-origin
function serializeOrigin(url) {
  switch (url.scheme) {
    case 'blob': {
      // There are no blob URL entries here.
      const pathURL = parseURL(url.path, null);
      return pathURL !== null && (pathURL.scheme === 'http' || pathURL.scheme === 'https') ? serializeOrigin(pathURL) : 'null';
    }
    case 'ftp': case 'http': case 'https': case 'ws': case 'wss':
      return `${url.scheme}://${serializeHostAndPort(url)}`;
    default:
      return 'null';
  }
}

// https://url.spec.whatwg.org/#windows-drive-letter
function isWindowsDriveLetter(text) {
  if (text.length !== 2 || !isASCIIAlpha(StringPrototypeCharCodeAt(text, 0))) return false;
  return text[1] === ':' || text[1] === '|';
}

// https://url.spec.whatwg.org/#normalized-windows-drive-letter
function isNormalizedWindowsDriveLetter(text) {
  return isWindowsDriveLetter(text) && text[1] === ':';
}

// https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
function startsWithWindowsDriveLetter(input, pointer) {
  if (!isWindowsDriveLetter(StringPrototypeSlice(input, pointer, pointer + 2))) return false;
  if (input.length === pointer + 2) return true;
  const code = StringPrototypeCharCodeAt(input, pointer + 2);
  return code === 0x2f || code === 0x5c || code === 0x3f || code === 0x23;
}

// isSingleDot and isDoubleDot are asked of segments that are percent-encoded.
// https://url.spec.whatwg.org/#single-dot-path-segment
function isSingleDot(segment) {
  return segment === '.' || segment === '%2e' || segment === '%2E';
}

// https://url.spec.whatwg.org/#double-dot-path-segment
function isDoubleDot(segment) {
  if (segment.length > 6) return false;
  switch (segment) {
    case '..': return true;
    case '.%2e': case '.%2E': case '%2e.': case '%2E.': return true;
    case '%2e%2e': case '%2e%2E': case '%2E%2e': case '%2E%2E': return true;
    default: return false;
  }
}

// segmentsOf returns the segments of a path that is not opaque, as a list.
function segmentsOf(path) {
  const segments = newList();
  for (let at = path === '' ? -1 : 0; at >= 0;) {
    const next = StringPrototypeIndexOf(path, '/', at + 1);
    segments[segments.length] = StringPrototypeSlice(path, at + 1, next < 0 ? path.length : next);
    at = next;
  }
  return segments;
}

// https://url.spec.whatwg.org/#url-path-serializer
function serializeSegments(segments) {
  let path = '';
  for (let i = 0; i < segments.length; i++) path += `/${segments[i]}`;
  return path;
}

// https://url.spec.whatwg.org/#shorten-a-urls-path
function shortenPath(url, segments) {
  const size = segments.length;
  if (size === 0) return;
  if (size === 1 && url.scheme === 'file' && isNormalizedWindowsDriveLetter(segments[0])) return;
  segments.length = size - 1;
}
