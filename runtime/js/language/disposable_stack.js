// DisposableStack. ECMA-262, section 27.3, https://tc39.es/ecma262/#sec-disposablestack-objects

{
  class DisposableStack {
    // The resources, {method, value}; undefined when they have been disposed of.
    #resources = newList();

    constructor() {
      prototypeFromNewTarget(this, new.target, DisposableStack.prototype);
    }

    adopt(value, onDispose) {
      requirePending(this.#resources === undefined);
      requireCallable(onDispose, 'onDispose');
      this.#add(undefined, () => ReflectApply(onDispose, undefined, [value]));
      return value;
    }

    defer(onDispose) {
      requirePending(this.#resources === undefined);
      this.#add(undefined, requireCallable(onDispose, 'onDispose'));
    }

    dispose() {
      const resources = this.#resources;
      if (resources === undefined) return;
      this.#resources = undefined;
      let failed = false;
      let failure;
      for (let i = resources.length - 1; i >= 0; i--) {
        try {
          ReflectApply(resources[i].method, resources[i].value, []);
        } catch (error) {
          failure = failed ? new SuppressedError(error, failure) : error;
          failed = true;
        }
      }
      if (failed) throw failure;
    }

    get disposed() {
      return this.#resources === undefined;
    }

    move() {
      requirePending(this.#resources === undefined);
      const stack = new DisposableStack();
      stack.#resources = this.#resources;
      this.#resources = undefined;
      return stack;
    }

    use(value) {
      requirePending(this.#resources === undefined);
      if (value !== undefined && value !== null) this.#add(value, getDisposeMethod(value));
      return value;
    }

    #add(value, method) {
      this.#resources[this.#resources.length] = { value, method };
    }
  }

  hidden(DisposableStack.prototype, SymbolDispose, DisposableStack.prototype.dispose);
  classString(DisposableStack.prototype, 'DisposableStack');
  installConstructor(DisposableStack, 'DisposableStack');
}
