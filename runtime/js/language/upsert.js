// Map and WeakMap: getOrInsert and getOrInsertComputed.
// https://tc39.es/proposal-upsert/

{
  const canBeHeldWeakly = (value) =>
    isObject(value) || (typeof value === 'symbol' && SymbolKeyFor(value) === undefined);

  exports.mapMethods = {
    getOrInsert(key, value) {
      if (MapPrototypeHas(this, key)) return MapPrototypeGet(this, key);
      MapPrototypeSet(this, key, value);
      return value;
    },

    getOrInsertComputed(key, callback) {
      const found = MapPrototypeHas(this, key);
      requireCallable(callback, 'The callback');
      if (found) return MapPrototypeGet(this, key);
      const value = callback(canonicalKey(key));
      MapPrototypeSet(this, key, value);
      return value;
    },
  };

  exports.weakMapMethods = {
    getOrInsert(key, value) {
      if (WeakMapPrototypeHas(this, key)) return WeakMapPrototypeGet(this, key);
      WeakMapPrototypeSet(this, key, value);
      return value;
    },

    getOrInsertComputed(key, callback) {
      const found = WeakMapPrototypeHas(this, key);
      if (!canBeHeldWeakly(key)) throw new TypeError('The key cannot be held weakly');
      requireCallable(callback, 'The callback');
      if (found) return WeakMapPrototypeGet(this, key);
      const value = callback(key);
      WeakMapPrototypeSet(this, key, value);
      return value;
    },
  };
}
