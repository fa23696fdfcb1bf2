// What the accessor Error.prototype.stack (accessors.js) does.
// https://tc39.es/proposal-error-stack-accessor/

function stackOf(error) {
  requireObject(error, 'Error.prototype.stack: the receiver');
  if ((native(KIND_OF, error) & KIND_NATIVE_ERROR) === 0) return undefined;
  const own = ReflectGetOwnPropertyDescriptor(error, 'stack');
  return own !== undefined && typeof own.value === 'string' ? own.value : '';
}

function setStackOf(error, value) {
  requireObject(error, 'Error.prototype.stack: the receiver');
  if (typeof value !== 'string') throw new TypeError('A stack must be a string');
  setIgnoringPrototype(error, ErrorPrototype, 'stack', value, 'Error.prototype.stack');
}
