// Disposal: SuppressedError, which the lowered form of `using` and `await using` needs too,
// and what the disposable stacks share.
// ECMA-262, section 12.2.1, https://tc39.es/ecma262/#sec-disposable-stack-objects

// A function and no class, because it can be called without new. The object that new made
// only tells the prototype.
function SuppressedError(error, suppressed, message) {
  const result = new Error();
  const { prototype } = SuppressedError;
  if (new.target === undefined || new.target === SuppressedError) {
    ObjectSetPrototypeOf(result, prototype);
  } else {
    ObjectSetPrototypeOf(result, ReflectGetPrototypeOf(prototypeFromNewTarget(this, new.target, prototype)));
  }
  if (message !== undefined) hidden(result, 'message', `${message}`);
  hidden(result, 'error', error);
  hidden(result, 'suppressed', suppressed);
  return result;
}

ObjectSetPrototypeOf(SuppressedError, Error);
ObjectDefineProperty(SuppressedError, 'prototype', { __proto__: null, writable: false });
ObjectSetPrototypeOf(SuppressedError.prototype, ErrorPrototype);
hidden(SuppressedError.prototype, 'name', 'SuppressedError');
hidden(SuppressedError.prototype, 'message', '');
exports.SuppressedError = named(SuppressedError, 'SuppressedError');

// getDisposeMethod returns the method that disposes of a value. It throws when there is
// none.
function getDisposeMethod(value) {
  const method = getMethod(requireObject(value, 'The resource'), SymbolDispose);
  if (method === undefined) throw new TypeError('The resource is not disposable');
  return method;
}

// getAsyncDisposeMethod takes Symbol.dispose where Symbol.asyncDispose is absent: what that
// returns is not waited for.
function getAsyncDisposeMethod(value) {
  const method = getMethod(requireObject(value, 'The resource'), SymbolAsyncDispose);
  if (method !== undefined) return method;
  const dispose = getDisposeMethod(value);
  return async function () {
    ReflectApply(dispose, this, []);
  };
}

function addResource(resources, value, method) {
  resources[resources.length] = { value, method };
}
