// Promise.allKeyed and Promise.allSettledKeyed: promises by name.
// https://tc39.es/proposal-await-dictionary/

{
  // entrySetter returns a function that puts what make makes of its argument into a list,
  // the first time that one of those which share called is called, and then finishes.
  const entrySetter = (values, index, called, make, finish) => (value) => {
    if (called.yet) return;
    called.yet = true;
    values[index] = make(value);
    finish();
  };

  const itself = (value) => value;
  const fulfilled = (value) => ({ status: 'fulfilled', value });
  const rejected = (reason) => ({ status: 'rejected', reason });

  // performKeyed is PerformPromiseAllKeyed.
  const performKeyed = (settled, constructor, promises, capability, promiseResolve) => {
    const keys = newList();
    const values = newList();
    let remaining = 1;
    const finish = () => {
      remaining--;
      if (remaining > 0) return;
      const result = ObjectCreate(null);
      for (let i = 0; i < keys.length; i++) result[keys[i]] = values[i];
      ReflectApply(capability.resolve, undefined, [result]);
    };
    const allKeys = ReflectOwnKeys(promises);
    for (let i = 0; i < allKeys.length; i++) {
      const descriptor = ReflectGetOwnPropertyDescriptor(promises, allKeys[i]);
      if (descriptor === undefined || !descriptor.enumerable) continue;
      const value = promises[allKeys[i]];
      const index = keys.length;
      keys[index] = allKeys[i];
      values[index] = undefined;
      const next = ReflectApply(promiseResolve, constructor, [value]);
      const called = { yet: false };
      remaining++;
      ReflectApply(next.then, next, [
        entrySetter(values, index, called, settled ? fulfilled : itself, finish),
        settled ? entrySetter(values, index, called, rejected, finish) : capability.reject,
      ]);
    }
    finish();
  };

  const keyed = (settled, constructor, promises) => {
    const capability = newPromiseCapability(constructor);
    try {
      const promiseResolve = requireCallable(constructor.resolve, 'The method resolve');
      performKeyed(settled, constructor, requireObject(promises, 'The argument'), capability, promiseResolve);
    } catch (error) {
      ReflectApply(capability.reject, undefined, [error]);
    }
    return capability.promise;
  };

  exports.keyedFunctions = {
    allKeyed(promises) {
      return keyed(false, this, promises);
    },

    allSettledKeyed(promises) {
      return keyed(true, this, promises);
    },
  };
}
