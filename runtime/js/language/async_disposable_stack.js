// AsyncDisposableStack. ECMA-262, section 27.4, https://tc39.es/ecma262/#sec-asyncdisposablestack-objects

{
  class AsyncDisposableStack {
    // The resources, {method, value}; undefined when they have been disposed of.
    #resources = newList();

    constructor() {
      prototypeFromNewTarget(this, new.target, AsyncDisposableStack.prototype);
    }

    adopt(value, onDisposeAsync) {
      const resources = AsyncDisposableStack.#pendingOf(this, 'adopt');
      requireCallable(onDisposeAsync, 'onDisposeAsync');
      addResource(resources, undefined, () => ReflectApply(onDisposeAsync, undefined, [value]));
      return value;
    }

    defer(onDisposeAsync) {
      const resources = AsyncDisposableStack.#pendingOf(this, 'defer');
      addResource(resources, undefined, requireCallable(onDisposeAsync, 'onDisposeAsync'));
    }

    disposeAsync() {
      return AsyncDisposableStack.#dispose(this);
    }

    get disposed() {
      AsyncDisposableStack.#requireStack(this, 'disposed');
      return this.#resources === undefined;
    }

    move() {
      const resources = AsyncDisposableStack.#pendingOf(this, 'move');
      const stack = new AsyncDisposableStack();
      stack.#resources = resources;
      this.#resources = undefined;
      return stack;
    }

    use(value) {
      // What reading the method does to the stack changes nothing of where it is put.
      const resources = AsyncDisposableStack.#pendingOf(this, 'use');
      if (value === undefined || value === null) addResource(resources, undefined, undefined);
      else addResource(resources, value, getAsyncDisposeMethod(value));
      return value;
    }

    static #requireStack(value, method) {
      if (!isObject(value) || !(#resources in value)) throw illegalInvocation(`AsyncDisposableStack.${method}`);
    }

    // #pendingOf returns the resources of a stack that has not been disposed of.
    static #pendingOf(value, method) {
      AsyncDisposableStack.#requireStack(value, method);
      if (value.#resources === undefined) throw new ReferenceError('The stack has been disposed of');
      return value.#resources;
    }

    // #dispose calls the methods in turn, the last first, and waits for each. A resource
    // without a method is one turn of waiting, unless another has been waited for. A wrong
    // receiver is a rejection like every other failure.
    static async #dispose(stack) {
      AsyncDisposableStack.#requireStack(stack, 'disposeAsync');
      const resources = stack.#resources;
      if (resources === undefined) return;
      stack.#resources = undefined;
      let needsAwait = false;
      let hasAwaited = false;
      let failed = false;
      let failure;
      for (let i = resources.length - 1; i >= 0; i--) {
        const { value, method } = resources[i];
        if (method === undefined) {
          needsAwait = true;
          continue;
        }
        try {
          const result = ReflectApply(method, value, []);
          hasAwaited = true;
          await result;
        } catch (error) {
          failure = failed ? new SuppressedError(error, failure) : error;
          failed = true;
        }
      }
      if (needsAwait && !hasAwaited) await undefined;
      if (failed) throw failure;
    }
  }

  hidden(AsyncDisposableStack.prototype, SymbolAsyncDispose, AsyncDisposableStack.prototype.disposeAsync);
  classString(AsyncDisposableStack.prototype, 'AsyncDisposableStack');
  exports.AsyncDisposableStack = named(AsyncDisposableStack, 'AsyncDisposableStack');
}
