// Tools: the caller's functions as the program sees them. Each namespace is a
// frozen global object of frozen functions; a call goes to the host as three
// strings and comes back as one, the reply envelope (Go package protocol, Envelope).
//
// Which tools there are and whether a call is allowed is decided by the host:
// a program that got hold of anything here could only break its own calls.

// The calls that await their reply: id → {resolve, reject, error}. error was
// made where the tool was called, so that its stack says where.
const pendingCalls = new SafeMap();

// installTools defines the namespaces of the configuration as globals.
function installTools(namespaces) {
  for (let i = 0; i < namespaces.length; i++) {
    const { name, tools } = namespaces[i];
    const namespace = {};
    for (let j = 0; j < tools.length; j++) {
      ObjectDefineProperty(namespace, tools[j], {
        __proto__: null, value: makeTool(name, tools[j]), writable: false, enumerable: true, configurable: false,
      });
    }
    ObjectDefineProperty(globalObject, name, {
      __proto__: null, value: ObjectFreeze(namespace), writable: false, enumerable: true, configurable: false,
    });
  }
}

// makeTool returns the function of one tool. Method shorthand makes one that is
// no constructor and has no prototype property.
function makeTool(namespace, name) {
  const holder = {
    [name](...args) {
      return callTool(namespace, name, args);
    },
  };
  return ObjectFreeze(ObjectGetOwnPropertyDescriptor(holder, name).value);
}

// decode returns the value of codec text.
function decode(text) {
  const tree = JSONParse(text);
  return mayEscape(text) ? part('decoding').decodeTree(tree) : tree;
}

// mayEscape reports whether a text may have the key "$". JSON can write it in
// two ways.
function mayEscape(text) {
  return StringPrototypeIndexOf(text, '"$"') >= 0 || StringPrototypeIndexOf(text, '\\u0024') >= 0;
}

// callTool sends a call and returns the promise of its reply. Whatever is wrong
// with the arguments rejects the promise, as with an async function.
function callTool(namespace, name, args) {
  const call = { resolve: undefined, reject: undefined, error: new Error() };
  const promise = new Promise((resolve, reject) => {
    call.resolve = resolve;
    call.reject = reject;
  });
  // The list itself is the runtime's: a toJSON that a program gives to all arrays
  // may change what is in it, and not that there is a list.
  ObjectSetPrototypeOf(args, null);
  const text = encode(args, limits.argument);
  if (typeof text !== 'string') {
    refuseArguments(`${namespace}.${name}`, text, call.reject);
    return promise;
  }
  const id = host(CALL, namespace, name, text);
  // Without an id the run is being ended, and the promise stays as it is.
  if (id > 0) pendingCalls.set(id, call);
  return promise;
}

function refuseArguments(tool, failure, reject) {
  if (failure.kind === 'too_large') {
    // This ends the run, and the promise stays as it is.
    part('faults').reportFault({ __proto__: null, kind: 'arguments_too_large', of: tool, actual: failure.actual });
    return;
  }
  const { isStackOverflow, markError, unserializableFault } = part('faults');
  if (isStackOverflow(failure.error)) {
    reject(failure.error);
    return;
  }
  const error = new TypeError(
    `the arguments of ${tool} hold a ${failure.what} at ${failure.path}, which cannot leave the isolate`);
  if (failure.error !== undefined) hidden(error, 'cause', failure.error);
  reject(markError(error, unserializableFault(failure.what, failure.path, `arguments of ${tool}`)));
}

// settle gives the reply envelope to the call with that id. A reply to no call,
// or a second one, is ignored.
function settle(id, envelope) {
  const call = pendingCalls.get(id);
  if (call === undefined) return;
  pendingCalls.delete(id);
  let value;
  try {
    const reply = JSONParse(envelope);
    if (!ObjectHasOwn(reply, 'ok')) {
      call.reject(toolError(call.error, reply.error, envelope));
      return;
    }
    value = mayEscape(envelope) ? part('decoding').decodeTree(reply.ok) : reply.ok;
  } catch (error) {
    call.reject(error);
    return;
  }
  call.resolve(value);
}

// toolError makes error say what the tool's error said.
function toolError(error, given, envelope) {
  const { decodeTree, nameError } = part('decoding');
  hidden(error, 'message', given.message);
  nameError(error, given.name);
  if (ObjectHasOwn(given, 'stack')) hidden(error, 'stack', given.stack);
  if (ObjectHasOwn(given, 'cause')) hidden(error, 'cause', decodeTree(given.cause));
  if (ObjectHasOwn(given, 'fields')) {
    const fields = decodeTree(given.fields);
    const keys = ObjectKeys(fields);
    for (let i = 0; i < keys.length; i++) visible(error, keys[i], fields[keys[i]]);
  }
  return error;
}
