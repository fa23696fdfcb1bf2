// DisposableStack. ECMA-262, section 27.3, https://tc39.es/ecma262/#sec-disposablestack-objects

{
  class DisposableStack {
    // The resources, {method, value}; undefined when they have been disposed of.
    #resources = newList();

    constructor() {
      prototypeFromNewTarget(this, new.target, DisposableStack.prototype);
    }

    adopt(value, onDispose) {
      const resources = DisposableStack.#pendingOf(this, 'adopt');
      requireCallable(onDispose, 'onDispose');
      addResource(resources, undefined, () => ReflectApply(onDispose, undefined, [value]));
      return value;
    }

    defer(onDispose) {
      const resources = DisposableStack.#pendingOf(this, 'defer');
      addResource(resources, undefined, requireCallable(onDispose, 'onDispose'));
    }

    dispose() {
      DisposableStack.#requireStack(this, 'dispose');
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
      DisposableStack.#requireStack(this, 'disposed');
      return this.#resources === undefined;
    }

    move() {
      const resources = DisposableStack.#pendingOf(this, 'move');
      const stack = new DisposableStack();
      stack.#resources = resources;
      this.#resources = undefined;
      return stack;
    }

    use(value) {
      // What reading the method does to the stack changes nothing of where it is put.
      const resources = DisposableStack.#pendingOf(this, 'use');
      if (value !== undefined && value !== null) addResource(resources, value, getDisposeMethod(value));
      return value;
    }

    static #requireStack(value, method) {
      if (!isObject(value) || !(#resources in value)) throw illegalInvocation(`DisposableStack.${method}`);
    }

    // #pendingOf returns the resources of a stack that has not been disposed of.
    static #pendingOf(value, method) {
      DisposableStack.#requireStack(value, method);
      if (value.#resources === undefined) throw new ReferenceError('The stack has been disposed of');
      return value.#resources;
    }
  }

  hidden(DisposableStack.prototype, SymbolDispose, DisposableStack.prototype.dispose);
  classString(DisposableStack.prototype, 'DisposableStack');
  exports.DisposableStack = named(DisposableStack, 'DisposableStack');
}
