// Parts: what of the library is built on first use.
//
// A part is a function around its files, which fills a record of what they
// export. Its globals are lazy data properties, which V8 installs after the
// restore and asks materialise for when one is first read: to a program they look
// like any other property. A part that is hot is built when the snapshot is made.
//
// Building a part runs no guest code. It can end half way when the stack or the
// time runs out; then what was made is dropped, and the next use builds it anew.

const parts = new SafeMap(); // from name to {build, exports}
const partOfGlobal = new SafeMap(); // from the name of a global to its part

// Names of the globals that V8 installs lazily.
const lazyGlobals = newList();

function definePart(name, globals, hot, build) {
  const record = { __proto__: null, build, exports: undefined };
  parts.set(name, record);
  for (let i = 0; i < globals.length; i++) {
    partOfGlobal.set(globals[i], record);
    if (hot) hidden(globalObject, globals[i], exportsOf(record)[globals[i]]);
    else lazyGlobals[lazyGlobals.length] = globals[i];
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

// materialise returns the value of a lazy global. V8 calls it once for each.
function materialise(name) {
  return exportsOf(partOfGlobal.get(name))[name];
}
