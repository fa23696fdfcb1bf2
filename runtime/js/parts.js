// Parts: what of the library is built on first use.
//
// A part is a function around its files, which fills a record of what they
// export. What a program sees of it are lazy properties of the global object and of the
// built-in objects, which V8 asks materialise for when one is first read: to a program they
// look like any other property.
//
// Building a part runs no guest code. It can end half way when the stack or the
// time runs out; then what was made is dropped, and the next use builds it anew.

const parts = new SafeMap(); // from name to {build, exports}

// For each number that a lazy property is defined with: the record of its part, and the
// name of the export that has its value, '' for the exports themselves.
const lazyParts = newList();
const lazyExports = newList();

// The engine's function that defines a lazy property, see defineLazily. It exists only
// while the snapshot is made.
let defineLazyProperty = globalObject.__isogate_lazy;

function definePart(name, build) {
  parts.set(name, { __proto__: null, build, exports: undefined });
}

// defineLazily gives an object properties whose values are made when one is first read.
function defineLazily(name, of, object, keys, enumerable) {
  const number = lazyParts.length;
  lazyParts[number] = parts.get(name);
  lazyExports[number] = of;
  for (let i = 0; i < keys.length; i++) {
    if (!defineLazyProperty(object, keys[i], number, enumerable)) throw new TypeError(`${keys[i]} cannot be defined`);
  }
}

function exportsOf(record) {
  if (record.exports === undefined) {
    const exports = { __proto__: null };
    ReflectApply(record.build, undefined, [exports]);
    record.exports = exports;
  }
  return record.exports;
}

// part returns what the part of that name exports.
function part(name) {
  return exportsOf(parts.get(name));
}

// isBuilt reports whether a part exists already, so that nothing can be an
// instance of its classes when it does not.
function isBuilt(name) {
  return parts.get(name).exports !== undefined;
}

// materialise returns the value of a lazy property. V8 calls it once for each.
function materialise(key, number) {
  const exports = exportsOf(lazyParts[number]);
  const of = lazyExports[number];
  return (of === '' ? exports : exports[of])[key];
}
