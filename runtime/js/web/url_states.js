// What single states of the basic URL parser do with the text behind the pointer.
// https://url.spec.whatwg.org/#url-parsing

// endOfScheme returns where the text is no longer an alphanumeric, '+', '-' or '.'.
function endOfScheme(input) {
  let end = 0;
  for (; end < input.length; end++) {
    const code = StringPrototypeCharCodeAt(input, end);
    if (!isASCIIAlpha(code) && !isASCIIDigit(code) && code !== 0x2b && code !== 0x2d && code !== 0x2e) break;
  }
  return end;
}

// endOfHost returns where the authority ends, or before it the first colon outside brackets.
function endOfHost(input, from, special) {
  let insideBrackets = false;
  for (let i = from; i < input.length; i++) {
    switch (StringPrototypeCharCodeAt(input, i)) {
      case SLASH: case QUESTION_MARK: case NUMBER_SIGN: return i;
      case BACKSLASH: if (special) return i; break;
      case COLON: if (!insideBrackets) return i; break;
      case 0x5b: insideBrackets = true; break;
      case 0x5d: insideBrackets = false; break;
    }
  }
  return input.length;
}

function endOfOpaquePath(input, from) {
  const query = StringPrototypeIndexOf(input, '?', from);
  const fragment = StringPrototypeIndexOf(input, '#', from);
  if (query < 0 && fragment < 0) return input.length;
  return query < 0 || (fragment >= 0 && fragment < query) ? fragment : query;
}

function takeAuthority(url, base) {
  url.username = base.username;
  url.password = base.password;
  url.host = base.host;
  url.port = base.port;
}

// stateBehindBase returns the state in which the parser goes on from a code unit when the
// path and query are those of the base.
function stateBehindBase(c) {
  if (c === QUESTION_MARK) return QUERY_STATE;
  return c === NUMBER_SIGN ? FRAGMENT_STATE : PATH_STATE;
}

// takeCredentials splits what is in front of the last '@' at the first ':'.
function takeCredentials(url, text) {
  const colon = StringPrototypeIndexOf(text, ':');
  url.username = utf8PercentEncode(colon < 0 ? text : StringPrototypeSlice(text, 0, colon), USERINFO_SET);
  if (colon >= 0) url.password = utf8PercentEncode(StringPrototypeSlice(text, colon + 1), USERINFO_SET);
}

// parsePath is the path state. It adds segments and returns where the path ends.
function parsePath(input, pointer, url, segments, special, override) {
  for (;;) {
    const end = endOfSegment(input, pointer, special, override);
    const code = StringPrototypeCharCodeAt(input, end);
    const slash = code === SLASH || code === BACKSLASH;
    let segment = utf8PercentEncode(StringPrototypeSlice(input, pointer, end), PATH_SET);
    if (isDoubleDot(segment)) {
      shortenPath(url, segments);
      if (!slash) segments[segments.length] = '';
    } else if (isSingleDot(segment)) {
      if (!slash) segments[segments.length] = '';
    } else {
      if (segments.length === 0 && url.scheme === 'file' && isWindowsDriveLetter(segment)) segment = `${segment[0]}:`;
      segments[segments.length] = segment;
    }
    if (!slash) return end;
    pointer = end + 1;
  }
}
