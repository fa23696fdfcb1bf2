// Promise.try and Promise.withResolvers.
// ECMA-262, section 27.2.4, https://tc39.es/ecma262/#sec-promise.try

// newPromiseCapability constructs a promise by a constructor that may be the program's.
function newPromiseCapability(constructor) {
  let resolve;
  let reject;
  const promise = ReflectConstruct(constructor, [(first, second) => {
    if (resolve !== undefined || reject !== undefined) throw new TypeError('The executor has been called before');
    resolve = first;
    reject = second;
  }]);
  requireCallable(resolve, 'The function to resolve');
  requireCallable(reject, 'The function to reject');
  return { promise, resolve, reject };
}

exports.promiseFunctions = {
  try(callback, ...args) {
    const { promise, resolve, reject } = newPromiseCapability(requireObject(this, 'The receiver'));
    let settle = resolve;
    let value;
    try {
      value = ReflectApply(callback, undefined, args);
    } catch (error) {
      settle = reject;
      value = error;
    }
    settle(value);
    return promise;
  },

  withResolvers() {
    return newPromiseCapability(this);
  },
};
