// The basic URL parser: a state machine over the text of a URL.
// https://url.spec.whatwg.org/#url-parsing
//
// The states are the standard's. Where a state collects code points in a buffer,
// the text up to the code point that ends the state is taken as a whole, which is the
// same and quicker. Encoding is always UTF-8.

const SCHEME_START_STATE = 1;
const SCHEME_STATE = 2;
const NO_SCHEME_STATE = 3;
const SPECIAL_RELATIVE_OR_AUTHORITY_STATE = 4;
const PATH_OR_AUTHORITY_STATE = 5;
const RELATIVE_STATE = 6;
const RELATIVE_SLASH_STATE = 7;
const SPECIAL_AUTHORITY_SLASHES_STATE = 8;
const SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE = 9;
const AUTHORITY_STATE = 10;
const HOST_STATE = 11;
const HOSTNAME_STATE = 12;
const PORT_STATE = 13;
const FILE_STATE = 14;
const FILE_SLASH_STATE = 15;
const FILE_HOST_STATE = 16;
const PATH_START_STATE = 17;
const PATH_STATE = 18;
const OPAQUE_PATH_STATE = 19;
const QUERY_STATE = 20;
const FRAGMENT_STATE = 21;

// The code units that the parser looks for.
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const QUESTION_MARK = 0x3f;
const NUMBER_SIGN = 0x23;
const COLON = 0x3a;

// parseURL returns the record of a URL, or null for failure. base is a record or null.
// https://url.spec.whatwg.org/#concept-basic-url-parser
function parseURL(input, base) {
  const url = new URLRecord();
  return runURLParser(withoutTabsAndNewlines(trimC0ControlOrSpace(input)), base, url, SCHEME_START_STATE, false) ? url : null;
}

// changeURL runs the parser with a state override. It changes what it has come to when it
// ends, like the standard's, whether the input is right or not.
function changeURL(input, url, stateOverride) {
  url.href = null;
  runURLParser(withoutTabsAndNewlines(input), null, url, stateOverride, true);
}

function trimC0ControlOrSpace(input) {
  let start = 0;
  let end = input.length;
  while (start < end && StringPrototypeCharCodeAt(input, start) <= 0x20) start++;
  while (start < end && StringPrototypeCharCodeAt(input, end - 1) <= 0x20) end--;
  return start === 0 && end === input.length ? input : StringPrototypeSlice(input, start, end);
}

function withoutTabsAndNewlines(input) {
  if (StringPrototypeIndexOf(input, '\t') < 0 && StringPrototypeIndexOf(input, '\n') < 0 &&
    StringPrototypeIndexOf(input, '\r') < 0) return input;
  let out = '';
  let kept = 0;
  for (let i = 0; i < input.length; i++) {
    const code = StringPrototypeCharCodeAt(input, i);
    if (code === 0x09 || code === 0x0a || code === 0x0d) {
      out += StringPrototypeSlice(input, kept, i);
      kept = i + 1;
    }
  }
  return out + StringPrototypeSlice(input, kept);
}

// endOfSegment returns where a segment of a path ends: at a solidus, for special URLs a
// reverse solidus, and, unless all is path, a question mark or number sign.
function endOfSegment(input, from, special, pathOnly) {
  const length = input.length;
  for (let i = from; i < length; i++) {
    switch (StringPrototypeCharCodeAt(input, i)) {
      case SLASH: return i;
      case BACKSLASH: if (special) return i; break;
      case QUESTION_MARK: case NUMBER_SIGN: if (!pathOnly) return i; break;
    }
  }
  return length;
}

// runURLParser runs the machine from a state. It returns false for failure.
function runURLParser(input, base, url, state, override) {
  const length = input.length;
  let pointer = 0;
  let special = override && isSpecial(url);
  // The code unit at the pointer; NaN behind the end.
  let c = StringPrototypeCharCodeAt(input, 0);
  let segments; // the path, from where it can change
  for (;;) {
    switch (state) {
      case SCHEME_START_STATE:
        if (isASCIIAlpha(c)) {
          state = SCHEME_STATE;
        } else {
          if (override) return false;
          state = NO_SCHEME_STATE;
        }
        break;

      case SCHEME_STATE: {
        const end = endOfScheme(input);
        if (StringPrototypeCharCodeAt(input, end) !== COLON) {
          if (override) return false;
          state = NO_SCHEME_STATE;
          break;
        }
        const scheme = StringPrototypeToLowerCase(StringPrototypeSlice(input, 0, end));
        if (override) {
          if (special !== (defaultPort(scheme) !== undefined)) return true;
          if (scheme === 'file' && (includesCredentials(url) || url.port !== null)) return true;
          if (url.scheme === 'file' && url.host === '') return true;
          url.scheme = scheme;
          if (url.port === defaultPort(scheme)) url.port = null;
          return true;
        }
        url.scheme = scheme;
        special = isSpecial(url);
        pointer = end + 1;
        if (scheme === 'file') {
          state = FILE_STATE;
        } else if (special) {
          state = base !== null && base.scheme === scheme ? SPECIAL_RELATIVE_OR_AUTHORITY_STATE : SPECIAL_AUTHORITY_SLASHES_STATE;
        } else if (StringPrototypeCharCodeAt(input, pointer) === SLASH) {
          state = PATH_OR_AUTHORITY_STATE;
          pointer++;
        } else {
          url.opaque = true;
          state = OPAQUE_PATH_STATE;
        }
        break;
      }

      case NO_SCHEME_STATE:
        if (base === null || (base.opaque && c !== NUMBER_SIGN)) return false;
        url.scheme = base.scheme;
        special = isSpecial(url);
        if (base.opaque) {
          url.path = base.path;
          url.opaque = true;
          url.query = base.query;
          pointer++;
          state = FRAGMENT_STATE;
        } else {
          state = base.scheme === 'file' ? FILE_STATE : RELATIVE_STATE;
        }
        break;

      case SPECIAL_RELATIVE_OR_AUTHORITY_STATE:
        if (StringPrototypeStartsWith(input, '//', pointer)) {
          pointer += 2;
          state = SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE;
        } else {
          state = RELATIVE_STATE;
        }
        break;

      case PATH_OR_AUTHORITY_STATE:
        if (c === SLASH) {
          pointer++;
          state = AUTHORITY_STATE;
        } else {
          segments = newList();
          state = PATH_STATE;
        }
        break;

      case RELATIVE_STATE:
        if (c === SLASH || (special && c === BACKSLASH)) {
          pointer++;
          state = RELATIVE_SLASH_STATE;
          break;
        }
        takeAuthority(url, base);
        url.path = base.path;
        url.query = base.query;
        state = stateBehindBase(c);
        if (state !== PATH_STATE) {
          pointer++;
        } else if (pointer < length) {
          url.query = null;
          segments = segmentsOf(url.path);
          shortenPath(url, segments);
        } else {
          return true;
        }
        break;

      case RELATIVE_SLASH_STATE:
        if (special && (c === SLASH || c === BACKSLASH)) {
          pointer++;
          state = SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE;
        } else if (c === SLASH) {
          pointer++;
          state = AUTHORITY_STATE;
        } else {
          takeAuthority(url, base);
          segments = newList();
          state = PATH_STATE;
        }
        break;

      case SPECIAL_AUTHORITY_SLASHES_STATE:
        if (StringPrototypeStartsWith(input, '//', pointer)) pointer += 2;
        state = SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE;
        break;

      case SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE:
        if (c === SLASH || c === BACKSLASH) pointer++;
        else state = AUTHORITY_STATE;
        break;

      case AUTHORITY_STATE: {
        const end = endOfSegment(input, pointer, special, false);
        const authority = StringPrototypeSlice(input, pointer, end);
        const at = StringPrototypeLastIndexOf(authority, '@');
        if (at >= 0) {
          if (pointer + at + 1 === end) return false;
          takeCredentials(url, StringPrototypeSlice(authority, 0, at));
          pointer += at + 1;
        }
        state = HOST_STATE;
        break;
      }

      case HOST_STATE:
      case HOSTNAME_STATE: {
        if (override && url.scheme === 'file') {
          state = FILE_HOST_STATE;
          break;
        }
        const end = endOfHost(input, pointer, special);
        const buffer = StringPrototypeSlice(input, pointer, end);
        const colon = StringPrototypeCharCodeAt(input, end) === COLON;
        if (colon) {
          if (buffer === '' || (override && state === HOSTNAME_STATE)) return false;
        } else if (buffer === '') {
          if (special || (override && (includesCredentials(url) || url.port !== null))) return false;
        }
        const host = buffer === '' ? '' : parseHost(buffer, !special);
        if (host === null) return false;
        url.host = host;
        pointer = end;
        if (colon) {
          pointer++;
          state = PORT_STATE;
        } else {
          if (override) return true;
          state = PATH_START_STATE;
        }
        break;
      }

      case PORT_STATE: {
        let end = pointer;
        while (isASCIIDigit(StringPrototypeCharCodeAt(input, end))) end++;
        if (end < length && !override && endOfSegment(input, end, special, false) !== end) return false;
        if (end > pointer) {
          const port = NumberParseInt(StringPrototypeSlice(input, pointer, end), 10);
          if (port > 65535) return false;
          url.port = port === defaultPort(url.scheme) ? null : port;
        }
        if (override) return end > pointer;
        pointer = end;
        state = PATH_START_STATE;
        break;
      }

      case FILE_STATE:
        url.scheme = 'file';
        special = true;
        url.host = '';
        if (c === SLASH || c === BACKSLASH) {
          pointer++;
          state = FILE_SLASH_STATE;
        } else if (base !== null && base.scheme === 'file') {
          url.host = base.host;
          url.path = base.path;
          url.query = base.query;
          state = stateBehindBase(c);
          if (state !== PATH_STATE) {
            pointer++;
          } else if (pointer < length) {
            url.query = null;
            segments = newList();
            if (!startsWithWindowsDriveLetter(input, pointer)) {
              segments = segmentsOf(url.path);
              shortenPath(url, segments);
            }
          } else {
            return true;
          }
        } else {
          segments = newList();
          state = PATH_STATE;
        }
        break;

      case FILE_SLASH_STATE:
        if (c === SLASH || c === BACKSLASH) {
          pointer++;
          state = FILE_HOST_STATE;
          break;
        }
        segments = newList();
        if (base !== null && base.scheme === 'file') {
          url.host = base.host;
          if (!startsWithWindowsDriveLetter(input, pointer)) {
            const first = segmentsOf(base.path);
            if (first.length > 0 && isNormalizedWindowsDriveLetter(first[0])) segments[0] = first[0];
          }
        }
        state = PATH_STATE;
        break;

      case FILE_HOST_STATE: {
        const end = endOfSegment(input, pointer, true, false);
        const buffer = StringPrototypeSlice(input, pointer, end);
        if (!override && isWindowsDriveLetter(buffer)) {
          // It is the first segment of the path.
          segments = newList();
          state = PATH_STATE;
          break;
        }
        const host = buffer === '' ? '' : parseHost(buffer, !special);
        if (host === null) return false;
        url.host = host === 'localhost' ? '' : host;
        if (override) return true;
        pointer = end;
        state = PATH_START_STATE;
        break;
      }

      case PATH_START_STATE:
        segments = newList();
        if (special) {
          if (c === SLASH || c === BACKSLASH) pointer++;
          state = PATH_STATE;
        } else if (!override && (c === QUESTION_MARK || c === NUMBER_SIGN)) {
          pointer++;
          state = c === QUESTION_MARK ? QUERY_STATE : FRAGMENT_STATE;
        } else if (pointer < length) {
          if (c === SLASH) pointer++;
          state = PATH_STATE;
        } else {
          if (override && url.host === null) url.path = '/';
          return true;
        }
        break;

      case PATH_STATE:
        pointer = parsePath(input, pointer, url, segments, special, override);
        url.path = serializeSegments(segments);
        if (pointer === length) return true;
        state = StringPrototypeCharCodeAt(input, pointer) === QUESTION_MARK ? QUERY_STATE : FRAGMENT_STATE;
        pointer++;
        break;

      case OPAQUE_PATH_STATE: {
        const end = endOfOpaquePath(input, pointer);
        url.path = utf8PercentEncode(StringPrototypeSlice(input, pointer, end), C0_CONTROL_SET);
        if (end === length) return true;
        if (lastCodeOf(url.path) === 0x20) url.path = `${StringPrototypeSlice(url.path, 0, url.path.length - 1)}%20`;
        state = StringPrototypeCharCodeAt(input, end) === QUESTION_MARK ? QUERY_STATE : FRAGMENT_STATE;
        pointer = end + 1;
        break;
      }

      case QUERY_STATE: {
        let end = override ? -1 : StringPrototypeIndexOf(input, '#', pointer);
        if (end < 0) end = length;
        url.query = utf8PercentEncode(StringPrototypeSlice(input, pointer, end), special ? SPECIAL_QUERY_SET : QUERY_SET);
        if (end === length) return true;
        pointer = end + 1;
        state = FRAGMENT_STATE;
        break;
      }

      case FRAGMENT_STATE:
        url.fragment = utf8PercentEncode(StringPrototypeSlice(input, pointer), FRAGMENT_SET);
        return true;
    }
    c = StringPrototypeCharCodeAt(input, pointer);
  }
}
