// The guest's side of a run of test262: print and $262, as far as one isolate can
// have them (INTERPRETING.md of the suite, "Host-Defined Functions").
//
// This text comes before the harness in each test's program. What it keeps of the
// language it keeps from before the test.

(function () {
  const global = globalThis;
  const PromiseConstructor = Promise;
  const then = Promise.prototype.then;
  const apply = Reflect.apply;
  const define = Object.defineProperty;
  const startsWith = String.prototype.startsWith;
  const slice = String.prototype.slice;
  const indirectEval = global.eval;
  const COMPLETE = 'Test262:AsyncTestComplete';
  const FAILURE = 'Test262:AsyncTestFailure:';

  let settle, fail;
  const outcome = new PromiseConstructor((resolve, reject) => { settle = resolve; fail = reject; });
  // An await of this promise asks its constructor; the test's changes do not matter.
  define(outcome, 'constructor', { __proto__: null, value: PromiseConstructor });

  function print(message) {
    message = `${message}`;
    if (message === COMPLETE) settle('finished');
    else if (apply(startsWith, message, [FAILURE])) settle(apply(slice, message, [FAILURE.length]));
  }

  function impossible(what) {
    return function () {
      throw new Error(`${what} is not to be had in a single isolate`);
    };
  }

  // Only a runner that was built with the tag realms has this.
  const newGlobal = global.__isogate_create_realm;
  delete global.__isogate_create_realm;

  // realm returns the object $262 of another realm.
  function realm() {
    const other = newGlobal();
    const otherEval = other.eval;
    const host = {
      global: other,
      createRealm: realm,
      evalScript(text) { return otherEval(text); },
      detachArrayBuffer: $262.detachArrayBuffer,
      gc: $262.gc,
      agent,
    };
    define(other, '$262', { __proto__: null, value: host, writable: true, enumerable: false, configurable: true });
    return host;
  }

  const agent = {};
  for (const name of ['start', 'broadcast', 'getReport', 'sleep', 'monotonicNow']) agent[name] = impossible(`$262.agent.${name}`);

  const $262 = {
    global,
    createRealm: newGlobal === undefined ? impossible('$262.createRealm') : realm,
    evalScript(text) { return indirectEval(text); },
    detachArrayBuffer(buffer) {
      if (typeof ArrayBuffer.prototype.transfer === 'function') apply(ArrayBuffer.prototype.transfer, buffer, []);
      else if (typeof structuredClone === 'function') structuredClone(buffer, { transfer: [buffer] });
      else throw new Error('$262.detachArrayBuffer is not to be had: nothing detaches a buffer');
    },
    gc: impossible('$262.gc'),
    agent,
    // finish returns the promise of an asynchronous test's word. When the test was
    // imported, that import's failure is the test's.
    finish(imported) {
      if (imported !== undefined) apply(then, imported, [undefined, fail]);
      return outcome;
    },
  };

  // A test that declares a variable of the name, in the same script, has it already.
  for (const [name, value] of [['print', print], ['$262', $262]]) {
    if (Object.hasOwn(global, name)) global[name] = value;
    else define(global, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }
})();
