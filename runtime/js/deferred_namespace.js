// Deferred namespaces: the object that `import defer * as n` gives, which evaluates its
// module when a name of it is first asked for.
// https://tc39.es/proposal-defer-import-eval/#sec-module-namespace-exotic-objects
//
// It is a proxy, because the engine's own namespaces evaluate nothing. Its target has the
// properties that the namespace has, so that what a proxy may not say of its target does
// not matter: they are writable and not configurable, and the object is not extensible.

// deferredNamespace returns that object for a namespace of a module that is linked.
// evaluate evaluates the module, or throws its error; it may be called again.
function deferredNamespace(namespace, evaluate) {
  const target = ObjectCreate(null);
  const names = ReflectOwnKeys(namespace);
  for (let i = 0; i < names.length; i++) {
    if (isSymbolLike(names[i])) continue;
    ObjectDefineProperty(target, names[i], { __proto__: null, value: undefined, writable: true, enumerable: true });
  }
  ObjectDefineProperty(target, SymbolToStringTag, { __proto__: null, value: 'Deferred Module' });
  ReflectPreventExtensions(target);
  let done = false;
  // exportsFor returns the namespace to ask for a key, evaluated, or the target.
  const exportsFor = (key) => {
    if (isSymbolLike(key)) return target;
    if (!done) evaluate();
    done = true;
    return namespace;
  };
  return new Proxy(target, {
    __proto__: null,
    getOwnPropertyDescriptor: (_, key) => ReflectGetOwnPropertyDescriptor(exportsFor(key), key),
    defineProperty: (_, key, descriptor) => ReflectDefineProperty(exportsFor(key), key, descriptor),
    has: (_, key) => ReflectHas(exportsFor(key), key),
    get: (_, key) => exportsFor(key)[key],
    set: () => false,
    deleteProperty: (_, key) => ReflectDeleteProperty(exportsFor(key), key),
    ownKeys: () => {
      exportsFor('');
      return ReflectOwnKeys(target);
    },
  });
}

// isSymbolLike is IsSymbolLikeNamespaceKey, of a deferred namespace.
function isSymbolLike(key) {
  return typeof key === 'symbol' || key === 'then';
}
