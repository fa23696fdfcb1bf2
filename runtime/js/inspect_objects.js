// Inspection of objects, kind by kind. The walk is in inspect.js.

// inspectKind shows an object that is not shown around here. closed says that
// it is too deep for its contents to be shown.
function inspectKind(walk, value, closed) {
  walk.left -= 4;
  if (typeof value === 'function') return inspectFunction(walk, value, closed);
  const brand = brandOf(value);
  if (brand === 'Error') return inspectError(walk, value, closed);
  const name = classNameOf(value);
  const leaf = inspectLeaf(value, brand);
  if (leaf !== undefined) {
    const prefix = name === brand || name === null ? leaf : `${name} ${leaf}`;
    return inspectRest(walk, value, prefix, closed, brand === 'String');
  }
  const prefix = prefixOf(value, brand, name);
  if (closed || walk.left <= 0) {
    walk.height = 1;
    return `[${prefix === '' ? (brand === 'Array' ? 'Array' : 'Object') : StringPrototypeSlice(prefix, 0, prefix.length - 1)}]`;
  }
  walk.indent += 2;
  const parts = newParts();
  switch (brand) {
    case 'Array':
      addElements(walk, parts, value);
      // The keys of a long array are its elements, for the most part.
      if (lengthShown(value) <= 1000) addProperties(walk, parts, value, true);
      return layOut(walk, parts, prefix, '[', ']');
    case 'TypedArray':
      addNumbers(walk, parts, bytesOf(value, 'TypedArray'), value);
      return layOut(walk, parts, prefix, '[', ']');
    case 'Map':
      addEntries(walk, parts, value);
      break;
    case 'Set':
      addValues(walk, parts, value);
      break;
    case 'ArrayBuffer':
      addContents(walk, parts, value);
      break;
    case 'DataView':
      addPart(walk, parts, `byteLength: ${DataViewPrototypeGetByteLength(value)}`);
      addPart(walk, parts, `byteOffset: ${DataViewPrototypeGetByteOffset(value)}`);
      addPart(walk, parts, `buffer: ${inspectValue(walk, DataViewPrototypeGetBuffer(value))}`);
      break;
    case 'WeakMap': case 'WeakSet':
      addPart(walk, parts, '<items unknown>');
      break;
    case 'Promise':
      addPart(walk, parts, '<state unknown>');
      break;
    default:
      if (platformKinds.has(brand)) {
        addDescription(walk, parts, value, platformKinds.get(brand));
        return layOut(walk, parts, prefix, '{', '}');
      }
  }
  addProperties(walk, parts, value, false);
  return layOut(walk, parts, prefix, '{', '}');
}

// inspectLeaf returns the text of a kind that is one text, undefined for others.
function inspectLeaf(value, brand) {
  switch (brand) {
    case 'Date': {
      const time = DatePrototypeGetTime(value);
      return time === time ? DatePrototypeToISOString(value) : 'Invalid Date';
    }
    case 'RegExp': return `/${RegExpPrototypeGetSource(value)}/${flagsOf(value)}`;
    case 'Number': return `[Number: ${inspectPrimitive(NumberPrototypeValueOf(value))}]`;
    case 'String': return `[String: ${inspectPrimitive(StringPrototypeValueOf(value))}]`;
    case 'Boolean': return `[Boolean: ${BooleanPrototypeValueOf(value)}]`;
    case 'BigInt': return `[BigInt: ${inspectPrimitive(BigIntPrototypeValueOf(value))}]`;
    case 'Symbol': return `[Symbol: ${inspectSymbol(SymbolPrototypeValueOf(value))}]`;
    default: return undefined;
  }
}

// inspectRest shows something that is one text with the properties it has besides.
function inspectRest(walk, value, text, closed, indexed) {
  walk.left -= text.length;
  const parts = newParts();
  if (!closed) {
    walk.indent += 2;
    addProperties(walk, parts, value, indexed);
  }
  if (parts.count === 0) {
    walk.height = 0;
    return text;
  }
  return layOut(walk, parts, `${text} `, '{', '}');
}

// prefixOf returns what is in front of the bracket of a container, with a space
// behind it, or '' for a plain object or array.
function prefixOf(value, brand, name) {
  let size = '';
  switch (brand) {
    case 'Array': size = `(${lengthShown(value)})`; break;
    case 'TypedArray': size = `(${TypedArrayPrototypeGetLength(value)})`; break;
    case 'Map': size = `(${MapPrototypeGetSize(value)})`; break;
    case 'Set': size = `(${SetPrototypeGetSize(value)})`; break;
  }
  const tag = tagOf(value);
  if (name === null) {
    if (tag === 'Module') return '[Module: null prototype] ';
    const kind = brand === 'TypedArray' ? TypedArrayPrototypeGetToStringTag(value) : brand;
    return `[${kind}${size}: null prototype] ${tag === '' || tag === kind ? '' : `[${tag}] `}`;
  }
  const tagged = tag !== '' && tag !== name ? `[${tag}] ` : '';
  if (brand === 'Array' && name === 'Array') return tagged === '' ? '' : `Array${size} ${tagged}`;
  if (brand === 'Object') {
    if (isArguments(value)) return '[Arguments] ';
    if (name === 'Object' && tagged === '') return '';
  }
  return `${name}${size} ${tagged}`;
}

// isArguments asks the built-in tag only of what has the properties of an
// arguments object, because asking runs a getter or trap for Symbol.toStringTag.
function isArguments(value) {
  const length = ObjectGetOwnPropertyDescriptor(value, 'length');
  return length !== undefined && !length.enumerable && ObjectHasOwn(value, SymbolIterator) &&
    ObjectPrototypeToString(value) === '[object Arguments]';
}

function inspectFunction(walk, value, closed) {
  const name = dataOf(value, 'name');
  const named = typeof name === 'string' && name !== '';
  let text;
  if (isClass(value)) {
    text = `[class ${named ? cut(name, 100) : '(anonymous)'}`;
    const parent = ReflectGetPrototypeOf(value);
    const parentName = typeof parent === 'function' ? dataOf(parent, 'name') : undefined;
    if (typeof parentName === 'string' && parentName !== '') text += ` extends ${cut(parentName, 100)}`;
    text += ']';
  } else {
    let kind = 'Function';
    switch (ReflectGetPrototypeOf(value)) {
      case AsyncFunctionPrototype: kind = 'AsyncFunction'; break;
      case GeneratorFunctionPrototype: kind = 'GeneratorFunction'; break;
      case AsyncGeneratorFunctionPrototype: kind = 'AsyncGeneratorFunction'; break;
    }
    text = named ? `[${kind}: ${cut(name, 100)}]` : `[${kind} (anonymous)]`;
  }
  return inspectRest(walk, value, text, closed, false);
}

// isClass reports whether a function was written as a class.
function isClass(value) {
  return StringPrototypeStartsWith(FunctionPrototypeToString(value), 'class') && ObjectHasOwn(value, 'prototype') &&
    !ObjectGetOwnPropertyDescriptor(value, 'prototype').writable;
}

// inspectError shows an error by its stack, its cause and its own properties.
function inspectError(walk, error, closed) {
  const exception = exceptionOf(error);
  const name = exception === undefined ? inheritedText(error, 'name', true) ?? 'Error' : exception.name;
  const message = exception === undefined ? inheritedText(error, 'message', true) : exception.message;
  const header = part('faults').headerOf(name, message);
  const stack = dataOf(error, 'stack');
  const frames = typeof stack === 'string' ? part('faults').framesOf(stack, header) : '';
  // A class that did not give its errors a name shows by its own name.
  const className = classNameOf(error);
  const plain = name === 'Error' && className !== null && className !== 'Error';
  let shown = plain ? className + StringPrototypeSlice(header, 'Error'.length) : header;
  if (exception !== undefined && className !== name) shown = part('faults').headerOf(`${className ?? 'DOMException'} [${name}]`, message);
  let text = `${shown}\n${frames}`;
  if (frames === '') {
    // What the program has set for its stack, when it has.
    const own = typeof stack === 'string' && stack !== '' && !StringPrototypeStartsWith(stack, header);
    text = own ? stack : `[${shown}]`;
  }
  if (walk.indent > 0) text = indentLines(text, StringPrototypeRepeat(' ', walk.indent));
  text = cut(text, MAX_STRING);
  walk.left -= text.length;
  const parts = newParts();
  if (!closed) {
    walk.indent += 2;
    addErrorProperties(walk, parts, error);
  }
  if (parts.count === 0) {
    walk.height = 1;
    return text;
  }
  return layOut(walk, parts, `${text} `, '{', '}');
}

// exceptionOf returns the name and message of a DOMException, undefined for another error.
function exceptionOf(error) {
  if (!isBuilt('dom_exception')) return undefined;
  const { isDOMException, exceptionSlots } = part('dom_exception');
  return isDOMException(error) ? exceptionSlots(error) : undefined;
}

// indentLines puts indentation in front of every line but the first.
function indentLines(text, indentation) {
  let out = '';
  let from = 0;
  for (let at = StringPrototypeIndexOf(text, '\n'); at >= 0; at = StringPrototypeIndexOf(text, '\n', from)) {
    out += StringPrototypeSlice(text, from, at + 1) + indentation;
    from = at + 1;
  }
  return out + StringPrototypeSlice(text, from);
}
