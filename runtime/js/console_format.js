// The console's formatter: format specifiers and the joining of arguments.
// https://console.spec.whatwg.org/#formatter
//
// Like the printer it runs no guest code, with one exception: %s asks an object
// that has a toString of its own making, as Node does.

// formatData returns the text of the arguments of a logging method.
function formatData(data) {
  const count = data.length;
  if (count === 0) return '';
  const first = data[0];
  if (typeof first !== 'string') return joinData(data, 0, '');
  if (count === 1) return first;
  if (StringPrototypeIndexOf(first, '%') < 0) return joinData(data, 1, first);
  let out = '';
  let done = 0; // how much of first is in out
  let used = 1; // how many arguments are
  for (let at = StringPrototypeIndexOf(first, '%'); at >= 0; at = StringPrototypeIndexOf(first, '%', at)) {
    const specifier = StringPrototypeSlice(first, at + 1, at + 2);
    let text;
    if (specifier === '%') text = '%';
    else if (used < count) text = formatSpecifier(specifier, data[used]);
    if (text === undefined) {
      at++;
      continue;
    }
    if (specifier !== '%') used++;
    out += StringPrototypeSlice(first, done, at) + text;
    at += 2;
    done = at;
    if (out.length > limits.logBytes) return out; // the rest would be cut
  }
  return joinData(data, used, out + StringPrototypeSlice(first, done));
}

// joinData appends the arguments from a position on, separated by spaces.
function joinData(data, from, text) {
  let out = text;
  for (let i = from; i < data.length; i++) {
    if (i > 0) out += ' ';
    out += isPlainText(data[i]) ? data[i] : inspectData(data[i]);
    if (out.length > limits.logBytes) break;
  }
  return out;
}

// isPlainText reports whether a value shows as what it converts to.
function isPlainText(value) {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && !ObjectIs(value, -0));
}

// inspectData returns the text for a value, as console.log shows it. What is only text needs
// nothing of the inspection, which is built when this is called.
function inspectData(value, depth = undefined) {
  return part('inspection').inspect(value, depth);
}

// formatSpecifier returns what a specifier makes of a value, undefined when
// there is no such specifier.
function formatSpecifier(specifier, value) {
  switch (specifier) {
    case 's': return formatString(value);
    case 'd': return typeof value === 'bigint' ? inspectData(value) : formatNumber(value, toNumber);
    case 'i': return typeof value === 'bigint' ? inspectData(value) : formatNumber(value, NumberParseInt);
    case 'f': return formatNumber(value, NumberParseFloat);
    case 'o': case 'O': return inspectData(value);
    case 'c': return '';
    default: return undefined;
  }
}

function isPrimitive(value) {
  return (typeof value !== 'object' || value === null) && typeof value !== 'function';
}

function toNumber(value) {
  return +value;
}

// formatNumber converts a primitive; converting anything else would run the
// guest's code.
function formatNumber(value, convert) {
  return typeof value === 'symbol' || !isPrimitive(value) ? 'NaN' : joinData([convert(value)], 0, '');
}

function formatString(value) {
  if (typeof value === 'string') return value;
  if (isPlainText(value)) return `${value}`;
  if (isPrimitive(value)) return inspectData(value);
  const method = ownToString(value);
  if (method !== undefined) {
    try {
      const text = ReflectApply(method, value, []);
      if (typeof text === 'string') return text;
    } catch {
      // Then it shows as any object.
    }
  }
  return inspectData(value, typeof value !== 'function' && part('brands').isError(value) ? undefined : 0);
}

// ownToString returns the toString that an object or its class defines,
// undefined when that is a built-in one or no data property.
function ownToString(value) {
  try {
    for (let link = value, i = 0; i < MAX_CHAIN && link !== null; i++, link = ReflectGetPrototypeOf(link)) {
      if (!ObjectHasOwn(link, 'toString')) continue;
      const method = dataOf(link, 'toString');
      if (typeof method !== 'function') return undefined;
      for (let j = 0; j < builtInToStrings.length; j++) {
        if (builtInToStrings[j] === method) return undefined;
      }
      return method;
    }
  } catch {
    // A proxy's trap threw.
  }
  return undefined;
}
