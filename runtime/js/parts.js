// Parts: what of the library is built on first use.
//
// A part is a function around its files, which fills a record of what they
// export; some of these functions share one around them, which runs the one that is asked for. What a program sees of it are lazy properties of the global object and of the
// built-in objects, which V8 asks materialise for when one is first read: to a program they
// look like any other property.
//
// Building a part runs no guest code. It can end half way when the stack or the
// time runs out; then what was made is dropped, and the next use builds it anew.
//
// Parts have names in the files and numbers in the bundle (bundle.go), because every isolate
// has a table of all names: here name is a number.

const builders = newList(); // by part: the function around its group
const built = newList(); // by part: what it exports, undefined until it is built

// For each number that a lazy property is defined with: its part, and the number of the export that
// has its value as a property, -1 for the exports themselves.
const lazyParts = newList();
const lazyExports = newList();

// The engine's function that defines a lazy property, see defineLazily. It exists only
// while the snapshot is made.
let defineLazyProperty = globalObject.__isogate_lazy;

// This and the next function are needed while the snapshot is made only, as that one.
// defineParts takes the function around the parts from first on, below end.
let defineParts = (first, end, build) => {
  for (let name = first; name < end; name++) {
    builders[name] = build;
    built[name] = undefined;
  }
};

// defineLazily gives an object properties whose values are made when one is first read.
let defineLazily = (name, of, object, keys, enumerable) => {
  const number = lazyParts.length;
  lazyParts[number] = name;
  lazyExports[number] = of;
  for (let i = 0; i < keys.length; i++) {
    if (!defineLazyProperty(object, keys[i], number, enumerable)) throw new TypeError(keys[i]);
  }
};

// part returns what the part of that name exports.
function part(name) {
  const exports = built[name];
  return exports === undefined ? buildPart(name) : exports;
}

function buildPart(name) {
  const exports = { __proto__: null };
  (0, builders[name])(exports, name);
  built[name] = exports;
  return exports;
}

// isBuilt reports whether a part exists already, so that nothing can be an
// instance of its classes when it does not.
function isBuilt(name) {
  return built[name] !== undefined;
}

// materialise returns the value of a lazy property. V8 calls it once for each.
function materialise(key, number) {
  const exports = part(lazyParts[number]);
  const of = lazyExports[number];
  return (of < 0 ? exports : exports[of])[key];
}
