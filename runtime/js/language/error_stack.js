// The accessor Error.prototype.stack. The engine gives each error a property of its own
// besides, which comes first.
// https://tc39.es/proposal-error-stack-accessor/

// setIgnoringPrototype is SetterThatIgnoresPrototypeProperties: for accessors that an
// assignment to an object which inherits them goes past.
function setIgnoringPrototype(object, prototype, key, value, what) {
  requireObject(object, 'The receiver');
  if (object === prototype) throw new TypeError(`${what} cannot be assigned to`);
  if (ReflectGetOwnPropertyDescriptor(object, key) === undefined) createDataPropertyOrThrow(object, key, value);
  else object[key] = value;
}

installMethods(ErrorPrototype, {
  get stack() {
    requireObject(this, 'Error.prototype.stack: the receiver');
    if ((native(KIND_OF, this) & KIND_NATIVE_ERROR) === 0) return undefined;
    const own = ReflectGetOwnPropertyDescriptor(this, 'stack');
    return own !== undefined && typeof own.value === 'string' ? own.value : '';
  },
  set stack(value) {
    requireObject(this, 'Error.prototype.stack: the receiver');
    if (typeof value !== 'string') throw new TypeError('A stack must be a string');
    setIgnoringPrototype(this, ErrorPrototype, 'stack', value, 'Error.prototype.stack');
  },
});
