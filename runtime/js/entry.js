// Entry: what the host calls. This file comes last in the bundle.
//
// Running the bundle, when the snapshot is made, installs the library and leaves
// one temporary global, __isogate_boot. After the restore from the snapshot the
// host reads and deletes it and calls it with the host function (host.js) and the
// native function (native.js). It returns the entry functions; their order is fixed and sandbox/v8 knows it:
//
//   0 begin(configText)                          once per run, before any guest code
//   1 runFunction(fn, inputText)                 the program is a function
//   2 runModule(evaluation, namespace, inputText) the program is a module
//   3 reportThrown(error)                        the program threw at once
//   4 settle(callId, envelopeText)               a tool has answered
//   5 fireTimer(id)                              a timer's time has come
//   6 prepareStack(error, callSites)             the text of an error's stack
//   7 unhandledRejection(reason, promise, isHandledNow)
//   8 moduleError(specifier, importer)           the error of an import of nothing
//   9 materialise(key, number)                   the value of a lazy property (parts.js)
//  10 deferredNamespace(namespace, evaluate)     see deferred_namespace.js
//
// None of them throws (but materialise, when the stack or the time runs out), and none
// returns a promise that is rejected. What a run
// comes to goes through the host function: one RESULT or one FAULT.

function boot(hostFunction, nativeFunction) {
  host = hostFunction;
  native = nativeFunction;
  return [
    begin, runFunction, runModule, reportThrown, settle, fireTimer, prepareStack, unhandledRejection, moduleError,
    materialise, deferredNamespace,
  ];
}

// How many names the global has before the program runs.
let globalCount = 0;

// begin takes over the configuration, JSON text:
//   {"tools": [{"name", "tools": [name, …]}, …], "limits": {…}}
function begin(configText) {
  const config = JSONParse(configText);
  if (ObjectHasOwn(config, 'limits')) setLimits(config.limits);
  if (ObjectHasOwn(config, 'tools')) installTools(config.tools);
  globalCount = ReflectOwnKeys(globalObject).length;
}

// declaredFunction returns the function of a script whose only declaration with
// var or function is one function. As an expression such a text is that
// function; as a script it is a declaration and has no completion value.
function declaredFunction() {
  // Own keys are in the order in which they were made (ECMA-262, 10.1.11.1).
  const keys = ReflectOwnKeys(globalObject);
  let name = keys[globalCount];
  if (keys.length > globalCount + 1 && isProgramTranslated()) name = onlyName(keys);
  else if (keys.length !== globalCount + 1) return undefined;
  return name === undefined ? undefined : ObjectGetOwnPropertyDescriptor(globalObject, name).value;
}

function isProgramTranslated() {
  const { PROGRAM, isTranslated } = part('faults');
  return isTranslated(PROGRAM);
}

// onlyName returns the name that a program declares besides those that its translation
// declares, which begin with an underscore; undefined when there is not exactly one.
function onlyName(keys) {
  let name;
  for (let i = globalCount; i < keys.length; i++) {
    if (typeof keys[i] === 'string' && StringPrototypeStartsWith(keys[i], '_')) continue;
    if (name !== undefined) return undefined;
    name = keys[i];
  }
  return name;
}

// runFunction calls the program with its input and concludes with what it returns.
async function runFunction(fn, inputText) {
  if (fn === undefined) fn = declaredFunction();
  if (typeof fn !== 'function') {
    const { inspectSafely, reportFault } = part('faults');
    const text = `a program in the form of a function must evaluate to a function; this one evaluates to ${inspectSafely(fn)}`;
    reportFault({ __proto__: null, kind: 'not_function', text: cut(text, limits.errorText) });
    return;
  }
  try {
    conclude(await callProgram(fn, inputText));
  } catch (error) {
    reportThrown(error);
  }
}

// runModule waits for the module and concludes with its default export, or with
// what that returns when it is a function.
async function runModule(evaluation, namespace, inputText) {
  try {
    await evaluation;
    let value = ObjectHasOwn(namespace, 'default') ? await namespace.default : undefined;
    if (typeof value === 'function') value = await callProgram(value, inputText);
    conclude(value);
  } catch (error) {
    reportThrown(error);
  }
}

function callProgram(fn, inputText) {
  return ReflectApply(fn, undefined, inputText === undefined ? [] : [decode(inputText)]);
}

// conclude sends the value of the run, or why it cannot be sent.
function conclude(value) {
  const text = encode(value, limits.result);
  if (typeof text === 'string') {
    host(RESULT, text);
  } else if (text.kind === 'too_large') {
    part('faults').reportFault({ __proto__: null, kind: 'result_too_large', actual: text.actual });
  } else {
    const { reportFault, unserializableFault } = part('faults');
    reportFault(unserializableFault(text.what, text.path, 'result'));
  }
}

function moduleError(specifier, importer) {
  specifier = cut(specifier, limits.errorText);
  importer = cut(importer, limits.errorText);
  const error = new TypeError(`Cannot find module ${JSONStringify(specifier)} imported from ${importer}: only the modules of the request can be imported`);
  return part('faults').markError(error, { __proto__: null, kind: 'module_not_found', specifier, importer });
}

// The entries whose work is in parts.

function reportThrown(error) {
  part('faults').reportThrown(error);
}

function fireTimer(id) {
  part('timers').fireTimer(id);
}

function prepareStack(error, sites) {
  try {
    return part('faults').prepareStack(error, sites);
  } catch {
    return '<error>'; // the stack ran out
  }
}

function unhandledRejection(reason, promise, isHandledNow) {
  part('reports').unhandledRejection(reason, promise, isHandledNow);
}

function deferredNamespace(namespace, evaluate) {
  return part('deferred_namespace').deferredNamespace(namespace, evaluate);
}

// What only the making of the snapshot needs is not kept in it.
defineLazyProperty = undefined;
defineLazily = undefined;
defineParts = undefined;
uncurryGetter = undefined;
hidden(globalObject, '__isogate_boot', boot);
