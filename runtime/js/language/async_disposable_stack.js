// AsyncDisposableStack. ECMA-262, section 27.4, https://tc39.es/ecma262/#sec-asyncdisposablestack-objects

{
  class AsyncDisposableStack {
    // The resources, {method, value}; undefined when they have been disposed of.
    #resources = newList();

    constructor() {
      prototypeFromNewTarget(this, new.target, AsyncDisposableStack.prototype);
    }

    adopt(value, onDisposeAsync) {
      requirePending(this.#resources === undefined);
      requireCallable(onDisposeAsync, 'onDisposeAsync');
      this.#add(undefined, () => ReflectApply(onDisposeAsync, undefined, [value]));
      return value;
    }

    defer(onDisposeAsync) {
      requirePending(this.#resources === undefined);
      this.#add(undefined, requireCallable(onDisposeAsync, 'onDisposeAsync'));
    }

    disposeAsync() {
      return AsyncDisposableStack.#dispose(this);
    }

    get disposed() {
      return this.#resources === undefined;
    }

    move() {
      requirePending(this.#resources === undefined);
      const stack = new AsyncDisposableStack();
      stack.#resources = this.#resources;
      this.#resources = undefined;
      return stack;
    }

    use(value) {
      requirePending(this.#resources === undefined);
      if (value === undefined || value === null) this.#add(undefined, undefined);
      else this.#add(value, getAsyncDisposeMethod(value));
      return value;
    }

    #add(value, method) {
      this.#resources[this.#resources.length] = { value, method };
    }

    // #dispose calls the methods in turn, the last first, and waits for each. A resource
    // without a method is one turn of waiting, unless another has been waited for. A wrong
    // receiver is a rejection like every other failure.
    static async #dispose(stack) {
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
  installConstructor(AsyncDisposableStack, 'AsyncDisposableStack');
}
