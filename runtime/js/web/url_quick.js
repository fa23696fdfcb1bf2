// The quick way of the URL parser: URLs that are written as the parser would serialise
// them need no state machine. Most are.
//
// encodeURI, which is the engine's own, leaves alone only code points that no
// percent-encode set of path, query or fragment holds, and none that a domain must not
// have, but for the few that are asked for here. Whatever is not plainly right is left
// to the state machine, so that both always agree (url_test.go).

const QUICK_HTTPS = 'https://';
const QUICK_HTTP = 'http://';

// parseQuickly returns the record of an absolute http or https URL, or null when the
// text is for the state machine. The text may be any string.
function parseQuickly(text) {
  let start;
  if (StringPrototypeStartsWith(text, QUICK_HTTPS)) start = 8;
  else if (StringPrototypeStartsWith(text, QUICK_HTTP)) start = 7;
  else return null;
  const length = text.length;
  const fragment = StringPrototypeIndexOf(text, '#', start);
  const behindQuery = fragment < 0 ? length : fragment;
  let query = StringPrototypeIndexOf(text, '?', start);
  if (query > behindQuery) query = -1;
  const behindPath = query < 0 ? behindQuery : query;
  let path = StringPrototypeIndexOf(text, '/', start);
  if (path < 0 || path > behindPath) path = behindPath;
  if (!isPlain(text, path, behindPath)) return null;
  // A segment of one or two dots, and an apostrophe in the query.
  if (isWithin(StringPrototypeIndexOf(text, '/.', path), behindPath)) return null;
  if (query >= 0 && isWithin(StringPrototypeIndexOf(text, "'", query), behindQuery)) return null;

  let host = StringPrototypeSlice(text, start, path);
  let port = null;
  const colon = StringPrototypeIndexOf(host, ':');
  if (colon >= 0) {
    port = quickPort(StringPrototypeSlice(host, colon + 1), start === 8 ? 443 : 80);
    if (port === -1) return null;
    host = StringPrototypeSlice(host, 0, colon);
  }
  if (!isPlainDomain(host)) return null;

  const url = new URLRecord();
  url.scheme = start === 8 ? 'https' : 'http';
  url.host = host;
  url.port = port;
  if (path === behindPath) {
    url.path = '/';
  } else {
    url.path = StringPrototypeSlice(text, path, behindPath);
    url.href = text;
  }
  if (query >= 0) url.query = StringPrototypeSlice(text, query + 1, behindQuery);
  if (fragment >= 0) url.fragment = StringPrototypeSlice(text, fragment + 1);
  return url;
}

function isWithin(at, end) {
  return at >= 0 && at < end;
}

// isPlain reports whether a text is left alone by encodeURI, apart from percent signs, of
// which there is none before the path and none in the path that could stand for a dot.
function isPlain(text, path, behindPath) {
  let encoded;
  try {
    encoded = encodeURI(text);
  } catch {
    return false; // a lone surrogate
  }
  if (encoded === text) return true;
  const first = StringPrototypeIndexOf(text, '%');
  if (first < path) return false;
  let signs = 0;
  for (let at = first; at >= 0; at = StringPrototypeIndexOf(text, '%', at + 1)) signs++;
  if (encoded.length !== text.length + 2 * signs) return false;
  return first > behindPath || (StringPrototypeIndexOf(text, '%2e', first) < 0 && StringPrototypeIndexOf(text, '%2E', first) < 0);
}

// isPlainDomain reports whether a host that encodeURI leaves alone is a domain in lower
// case without credentials in front, encoded labels or a number at the end.
function isPlainDomain(host) {
  if (host === '' || StringPrototypeIndexOf(host, '@') >= 0 || StringPrototypeIndexOf(host, 'xn--') >= 0) return false;
  if (StringPrototypeToLowerCase(host) !== host) return false;
  // NaN when the last label is empty.
  const code = StringPrototypeCharCodeAt(host, StringPrototypeLastIndexOf(host, '.') + 1);
  return code > 0x39;
}

// quickPort returns a port that is written as it is serialised, -1 for anything else.
function quickPort(text, defaultNumber) {
  if (text.length === 0 || text.length > 4) return -1;
  let port = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (!isASCIIDigit(code) || (port === 0 && code === 0x30)) return -1;
    port = port * 10 + code - 0x30;
  }
  return port === defaultNumber ? -1 : port;
}
