// The guest's side of the walk (see walk.go). Called without a path it lists
// every function that can be reached from the global and from the syntax; with
// one it calls that function with hostile values.
async (input) => {
  // Roots: the global, and what only syntax reaches.
  const roots = {
    __proto__: null,
    global: globalThis,
    generatorFunction: function* () {},
    generator: (function* () {})(),
    asyncFunction: async function () {},
    asyncGeneratorFunction: async function* () {},
    asyncGenerator: (async function* () {})(),
    arrayIterator: [][Symbol.iterator](),
    stringIterator: ''[Symbol.iterator](),
    mapIterator: new Map().entries(),
    setIterator: new Set().entries(),
    matchAllIterator: 'a'.matchAll(/a/g),
    segments: new Intl.Segmenter('en').segment('a'),
    segmentIterator: new Intl.Segmenter('en').segment('a')[Symbol.iterator](),
    tool: typeof tools === 'object' ? tools : undefined,
    arguments: (function () { return arguments; })(),
    error: new Error('e'),
  };
  const isObject = (v) => (typeof v === 'object' && v !== null) || typeof v === 'function';
  const symbols = new Map(Reflect.ownKeys(Symbol).filter((k) => typeof Symbol[k] === 'symbol').map((k) => [Symbol[k], k]));
  const nameOf = (key) => (typeof key === 'symbol' ? '@@' + (symbols.get(key) ?? key.description) : key);
  const keyOf = (object, name) => (name.startsWith('@@') ? Reflect.ownKeys(object).find((k) => typeof k === 'symbol' && nameOf(k) === name) : name);

  // A path is a root and steps: "key:x" is a property, "get:x" and "set:x" are
  // its accessors, "proto" is the prototype.
  const list = () => {
    const seen = new Set();
    const found = [];
    const visit = (value, path) => {
      if (!isObject(value) || seen.has(value)) return;
      seen.add(value);
      if (typeof value === 'function') found.push(path);
      if (path.length > 8) return;
      for (const key of Reflect.ownKeys(value)) {
        const d = Reflect.getOwnPropertyDescriptor(value, key);
        if ('value' in d) visit(d.value, [...path, 'key:' + nameOf(key)]);
        else {
          visit(d.get, [...path, 'get:' + nameOf(key)]);
          visit(d.set, [...path, 'set:' + nameOf(key)]);
        }
      }
      visit(Reflect.getPrototypeOf(value), [...path, 'proto']);
    };
    for (const root of Object.keys(roots)) visit(roots[root], [root]);
    return found;
  };
  if (input === undefined) return list();

  // Follow the path; the owner is what the function was found on.
  let value = roots[input.path[0]];
  let owner;
  for (const step of input.path.slice(1)) {
    owner = value;
    if (step === 'proto') {
      value = Reflect.getPrototypeOf(value);
      continue;
    }
    const d = Reflect.getOwnPropertyDescriptor(value, keyOf(value, step.slice(4)));
    value = step.startsWith('key:') ? d.value : d[step.slice(0, 3)];
  }
  const fn = value;

  const throwing = () => new Proxy(function () {}, new Proxy({}, { get() { throw new Error('trap'); } }));
  const endless = () => {
    const self = new Proxy(function () { return self; }, {
      get: (_, key) => (key === 'length' ? 2 ** 53 - 1 : key === Symbol.toPrimitive ? () => 1 : key === 'then' ? undefined : self),
      has: () => true,
      getOwnPropertyDescriptor: (target, key) => Reflect.getOwnPropertyDescriptor(target, key),
    });
    return self;
  };
  const iterable = () => ({ [Symbol.iterator]() { return { next: () => ({ value: [1, 2], done: false }) }; } });
  const cycle = () => { const o = { n: 1, list: [] }; o.self = o; o.list.push(o.list, o); return o; };
  const long = () => 'xy'.repeat(2 ** 23);
  // What an owner's functions expect as receiver, small and large.
  const samples = {
    __proto__: null,
    Array: [() => [3, 1, 2], () => Array(2 ** 24)],
    String: [() => 'abc', long],
    RegExp: [() => /(x+)+$/, () => /(?:x|y|xy)*z/g],
    Number: [() => 1.5, () => 1e300],
    BigInt: [() => 7n, () => 3n ** 100000n],
    Date: [() => new Date(0), () => new Date(8.64e15)],
    Map: [() => new Map([[1, 2]]), () => new Map(Array.from({ length: 50000 }, (_, i) => [i, i]))],
    Set: [() => new Set([1]), () => new Set(Array.from({ length: 50000 }, (_, i) => i))],
    ArrayBuffer: [() => new ArrayBuffer(8), () => new ArrayBuffer(2 ** 24)],
    DataView: [() => new DataView(new ArrayBuffer(8)), () => new DataView(new ArrayBuffer(2 ** 24))],
    Promise: [() => Promise.resolve(1), () => new Promise(() => {})],
    Function: [() => () => 1, () => endless()],
    Object: [() => ({ a: 1 }), cycle],
    Symbol: [() => Symbol('s'), () => Symbol(long())],
  };
  const natural = (size) => {
    const constructor = owner && Reflect.getOwnPropertyDescriptor(owner, 'constructor')?.value;
    const sample = samples[constructor?.name];
    if (sample) return sample[size]();
    const typed = Object.getPrototypeOf(Uint8Array);
    if (constructor === typed || (typeof constructor === 'function' && Object.getPrototypeOf(constructor) === typed)) {
      return new (constructor === typed ? Float64Array : constructor)([8, 2 ** 21][size]).fill(constructor?.name?.startsWith('Big') ? 1n : 1);
    }
    try { return new constructor(); } catch { return owner; }
  };
  const receivers = {
    __proto__: null,
    none: () => undefined,
    natural: () => natural(0),
    large: () => natural(1),
    length: () => ({ length: 2 ** 53 - 1, 0: 1 }),
    throwing,
    endless,
  };
  const callback = () => (a, b) => (a > b ? 1 : -1);
  const argumentLists = {
    __proto__: null,
    empty: () => [],
    huge: () => [2 ** 53 - 1, 2 ** 53 - 1, 2 ** 53 - 1],
    gigabyte: () => [2 ** 30 - 25, 'ab', 2 ** 30],
    length: () => [{ length: 2 ** 53 - 1 }, 0, 1],
    million: () => [{ length: 1e9 }, callback(), 1],
    iterable: () => [iterable(), callback()],
    cycle: () => [cycle(), cycle()],
    throwing: () => [throwing(), throwing(), throwing()],
    endless: () => [endless(), endless(), endless()],
    long: () => [long(), long(), long()],
    pattern: () => [/(?:x|y|xy)*z/g, long()],
    callback: () => [callback(), callback()],
    negative: () => [-1, -Infinity, NaN],
    bigint: () => [2 ** 31, 3n ** 100000n],
  };
  const list_ = argumentLists[input.args]();
  let out = input.receiver === 'new' ? Reflect.construct(fn, list_) : Reflect.apply(fn, receivers[input.receiver](), list_);
  // What comes back lazily is drawn on a little.
  if (isObject(out) && typeof out.next === 'function') for (let i = 0; i < 3; i++) out.next();
  if (out instanceof Promise) {
    out.catch(() => {});
    out = await Promise.race([out, new Promise((done) => setTimeout(done, 5))]);
  }
  return typeof out;
}
