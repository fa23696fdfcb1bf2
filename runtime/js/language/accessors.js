// Properties of built-in objects that are there from the start: symbols, accessors, and the
// functions of JSON that most programs call. What needs more than a few lines is in a part
// and built when called. All other members below this folder are lazy properties (parts.js).
// ECMA-262, https://tc39.es/ecma262/

const SymbolDispose = Symbol('Symbol.dispose');
const SymbolAsyncDispose = Symbol('Symbol.asyncDispose');
ObjectDefineProperty(Symbol, 'dispose', { __proto__: null, value: SymbolDispose });
ObjectDefineProperty(Symbol, 'asyncDispose', { __proto__: null, value: SymbolAsyncDispose });

// What array_copies.js has; with is a reserved word, which no scope can have.
visible(ArrayPrototype[SymbolUnscopables], 'toReversed', true);
visible(ArrayPrototype[SymbolUnscopables], 'toSorted', true);
visible(ArrayPrototype[SymbolUnscopables], 'toSpliced', true);

installMethods(IteratorPrototype, {
  get [SymbolToStringTag]() {
    return 'Iterator';
  },
  set [SymbolToStringTag](value) {
    part('operations').setIgnoringPrototype(this, IteratorPrototype, SymbolToStringTag, value, 'Iterator.prototype');
  },
  get constructor() {
    return part('iterators').Iterator;
  },
  set constructor(value) {
    part('operations').setIgnoringPrototype(this, IteratorPrototype, 'constructor', value, 'Iterator.prototype');
  },
});

installMethods(ArrayBufferPrototype, {
  get detached() {
    return part('bytes').isDetached(this);
  },
});

// The engine gives each error a property of its own besides, which comes first.
// https://tc39.es/proposal-error-stack-accessor/
installMethods(ErrorPrototype, {
  get stack() {
    return part('operations').stackOf(this);
  },
  set stack(value) {
    part('operations').setStackOf(this, value);
  },
});

installMethods(Error, {
  // Whether a value was made as an error, whatever its prototype is.
  // https://tc39.es/ecma262/#sec-error.iserror
  isError(value) {
    return isObject(value) && (native(KIND_OF, value) & KIND_NATIVE_ERROR) !== 0;
  },
});

// Whether a program has called JSON.rawJSON (json_raw.js).
let anyRawJSON = false;

function noteRawJSON() {
  anyRawJSON = true;
}

installMethods(JSON, {
  parse(text, reviver) {
    return typeof reviver === 'function' ? part('json').parse(text, reviver) : JSONParse(text);
  },

  stringify(value, replacer, space) {
    if (!anyRawJSON && typeof replacer !== 'function') {
      const text = JSONStringify(value, replacer, space);
      if (!anyRawJSON) return text;
    }
    return part('json').stringify(value, replacer, space);
  },
});

// For those parts that write what a program gives them as JSON.
const { stringify: stringifyJSON } = JSON;
