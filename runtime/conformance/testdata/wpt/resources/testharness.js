// A small harness with the part of the interface of testharness.js that the tests
// beside it use. Subtests run one after the other when the script has been read.
(function () {
  const PASS = 0, FAIL = 1, TIMEOUT = 2, NOTRUN = 3;
  const tests = [];
  const stateCallbacks = [], completionCallbacks = [];
  const status = { status: 0, message: null };
  let over = false;

  function complete() {
    if (over) return;
    over = true;
    for (const callback of completionCallbacks) callback(tests, status);
  }

  async function runAll() {
    for (const one of tests) {
      try {
        await one.body();
        one.status = PASS;
      } catch (error) {
        one.status = FAIL;
        one.message = String(error && error.message);
      }
    }
    complete();
  }

  function add(body, name) {
    const one = { name, body, status: NOTRUN, message: null };
    tests.push(one);
    for (const callback of stateCallbacks) callback(one);
  }

  globalThis.test = add;
  globalThis.promise_test = add;
  globalThis.add_test_state_callback = (callback) => { stateCallbacks.push(callback); };
  globalThis.add_completion_callback = (callback) => { completionCallbacks.push(callback); };
  globalThis.timeout = () => {
    status.status = 2;
    for (const one of tests) {
      if (one.status === NOTRUN) one.status = TIMEOUT;
    }
    complete();
  };
  globalThis.assert_equals = (actual, expected) => {
    if (!Object.is(actual, expected)) throw new Error(`expected ${expected}, got ${actual}`);
  };
  Promise.resolve().then(runAll);
})();
