// The guest's side of a run of web-platform-tests: what testharness.js and the
// tests need of their surroundings and the sandbox does not have. Nothing that a
// test is about is made here.
//
// This text comes first in the program; CONFIGURATION is replaced by an object.
// The rest of the program calls what it leaves in __conformance.

(function (configuration) {
  const files = globalThis.__conformance_files;
  const stringify = JSON.stringify;
  const parse = JSON.parse;
  const apply = Reflect.apply;
  const slice = String.prototype.slice;
  const indirectEval = globalThis.eval;
  const startTimer = globalThis.setTimeout;
  const PromiseConstructor = Promise;

  // define adds a global unless the sandbox has one of that name.
  function define(name, value) {
    if (name in globalThis) return;
    Object.defineProperty(globalThis, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }

  define('GLOBAL', { isWindow: () => false, isWorker: () => false, isShadowRealm: () => false });
  const origin = 'http://web-platform.test:8000';
  define('location', {
    href: origin + configuration.path + configuration.query + configuration.hash,
    origin, protocol: 'http:', host: 'web-platform.test:8000', hostname: 'web-platform.test', port: '8000',
    pathname: configuration.path, search: configuration.query, hash: configuration.hash,
    toString() { return this.href; },
  });
  if (configuration.title !== undefined) define('META_TITLE', configuration.title);
  // By this name idlharness.js decides for which global object interfaces are exposed.
  if (configuration.asWindow) define('Window', class Window {});

  // fetch reads files of the checkout, as the project's server would send them.
  define('fetch', async function fetch(resource) {
    const url = `${resource}`;
    const text = await files.text(url);
    const found = text !== null;
    return {
      ok: found,
      status: found ? 200 : 404,
      statusText: found ? 'OK' : 'Not Found',
      url,
      text: async () => (found ? text : ''),
      json: async () => parse(found ? text : ''),
      arrayBuffer: async () => (found ? files.bytes(url) : new ArrayBuffer(0)),
    };
  });

  // cut bounds a message.
  function cut(message) {
    return typeof message === 'string' ? apply(slice, message, [0, 1000]) : `${message ?? ''}`;
  }

  let report;
  const reported = new PromiseConstructor((resolve) => { report = resolve; });
  const met = new Set();

  // conclude ends the run with what is known of every subtest.
  function conclude(status, message) {
    report(stringify({
      status,
      message: cut(message),
      tests: [...met].map((test) => ({ name: test.name, status: test.status, message: cut(test.message) })),
    }));
  }

  define('__conformance', {
    // observe is called when the harness has been loaded.
    observe() {
      globalThis.add_test_state_callback((test) => { met.add(test); });
      globalThis.add_completion_callback((tests, status) => {
        for (const test of tests) met.add(test);
        conclude(status.status, status.message);
      });
      // In a shell the harness has no clock of its own; timeout() is what such
      // an embedder calls when the time is up.
      startTimer(() => globalThis.timeout(), configuration.timeoutMs);
    },

    // evaluate runs the test. What it throws is an error of the harness, as it is in
    // a browser, and ends the run.
    evaluate(text) {
      try {
        indirectEval(text);
      } catch (error) {
        conclude(1, `${error?.name}: ${error?.message ?? error}`);
      }
    },

    outcome: () => reported,
  });
})(CONFIGURATION);
