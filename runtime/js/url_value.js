// URL values: what a URL of the host is in the guest as long as the library has
// no URL class. It has the href and behaves as text and in JSON as a URL does;
// a URL class will take its place here, in the codec's view, by its own brand.
// https://url.spec.whatwg.org/#api

let hrefOf;

class URLValue {
  #href;

  static {
    hrefOf = (value) => value.#href;
    // No way from a value to a constructor that takes any text for a URL.
    ReflectDeleteProperty(this.prototype, 'constructor');
    ObjectDefineProperty(this.prototype, SymbolToStringTag, { __proto__: null, value: 'URL', configurable: true });
  }

  constructor(href) {
    this.#href = href;
  }

  get href() {
    return this.#href;
  }

  toString() {
    return this.#href;
  }

  toJSON() {
    return this.#href;
  }
}
