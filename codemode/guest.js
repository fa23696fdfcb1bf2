// The guest's side of the dialect: namespaces, the binary tag, the console and fetch, as
// @cloudflare/codemode has them. It runs as a script before every program, followed by a
// line for each namespace, such as
//
//   const codemode = this.__codemode.provider("__tools_codemode");
//
// which puts the name in scope without making it a property of the global object. The
// Go package and the npm client send this very text.
//
// What it needs of the language it takes before any program runs, so that nothing a program
// patches changes what it does.
Object.defineProperty(this, '__codemode', {
  configurable: true,
  value: ((globalObject) => {
    'use strict';
    const BINARY = '__codemode_binary_v1__';
    const CONTROL = '__codemode_control__';
    const { Array, ArrayBuffer, Error, Object, Proxy, String, Uint8Array, atob, btoa, console } = globalObject;
    const { parse, stringify } = globalObject.JSON;
    const { apply } = globalObject.Reflect;
    const { isView } = ArrayBuffer;
    const { fromCharCode } = String;
    const { hasOwnProperty } = Object.prototype;
    const { charCodeAt } = String.prototype;
    const hasOwn = (object, key) => apply(hasOwnProperty, object, [key]);

    // ---- values: JSON, and bytes as tagged base64

    const getterOf = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
    const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
    const dataView = globalObject.DataView.prototype;
    const kindOf = getterOf(typedArray, globalObject.Symbol.toStringTag); // undefined for what is no typed array
    const parts = ['buffer', 'byteOffset', 'byteLength'];
    const ofTypedArray = parts.map((name) => getterOf(typedArray, name));
    const ofDataView = parts.map((name) => getterOf(dataView, name));
    const lengthOfBuffer = getterOf(ArrayBuffer.prototype, 'byteLength');
    const { slice } = ArrayBuffer.prototype;
    const { subarray } = typedArray;

    // bytesOf returns a view of the bytes that a typed array or a DataView shows.
    const bytesOf = (view) => {
      const of = apply(kindOf, view, []) === undefined ? ofDataView : ofTypedArray;
      return new Uint8Array(apply(of[0], view, []), apply(of[1], view, []), apply(of[2], view, []));
    };

    const CHUNK = 0x2000;

    const toBase64 = (bytes) => {
      const length = apply(ofTypedArray[2], bytes, []);
      let binary = '';
      for (let i = 0; i < length; i += CHUNK) binary += apply(fromCharCode, undefined, apply(subarray, bytes, [i, i + CHUNK]));
      return btoa(binary);
    };

    const fromBase64 = (text) => {
      const binary = atob(text);
      const bytes = new Uint8Array(binary.length);
      for (let i = 0; i < binary.length; i++) bytes[i] = apply(charCodeAt, binary, [i]);
      return bytes;
    };

    const isBuffer = (value) => {
      try {
        apply(lengthOfBuffer, value, []);
        return true;
      } catch {
        return false;
      }
    };

    const replace = (key, value) => {
      if (typeof value !== 'object' || value === null) return value;
      if (isView(value)) {
        return { [BINARY]: apply(kindOf, value, []) === 'Uint8Array' ? 'Uint8Array' : 'ArrayBufferView', data: toBase64(bytesOf(value)) };
      }
      return isBuffer(value) ? { [BINARY]: 'ArrayBuffer', data: toBase64(new Uint8Array(value)) } : value;
    };

    const revive = (key, value) => {
      if (typeof value !== 'object' || value === null || !hasOwn(value, BINARY) || typeof value.data !== 'string') return value;
      const bytes = fromBase64(value.data);
      return value[BINARY] === 'ArrayBuffer' ? apply(slice, apply(ofTypedArray[0], bytes, []), []) : bytes;
    };

    // The engine's text of a circle says the way around it only where there is no replacer.
    const CIRCULAR = 'Converting circular structure to JSON';

    const argumentsText = (args) => {
      try {
        return stringify(args, replace);
      } catch (error) {
        if (error?.message === CIRCULAR) stringify(args);
        throw error;
      }
    };

    // ---- namespaces

    // Calls are numbered in the order in which they are made, so that a host whom they reach
    // in another can start them in this one. The number is taken last, when nothing can keep
    // the call from being sent any more.
    let calls = 0;
    const numbered = () => ({
      __proto__: null,
      get n() {
        return ++calls;
      },
    });

    // A namespace that answered to "then" would be called when it is awaited.
    const isTool = (key) => typeof key === 'string' && key !== 'then';

    // provider makes the namespace of a provider from the frozen object of its tools, whose
    // names have a "$" in front. What is assigned to it comes first.
    const provider = (name) => {
      const tools = globalObject[name];
      const owns = (key) => tools !== undefined && hasOwn(tools, `$${key}`);
      const call = async (key, args) => {
        const text = argumentsText(args);
        if (!owns(key)) throw new Error(`Tool "${key}" not found`);
        const reply = await tools[`$${key}`](text, numbered());
        return reply === undefined ? undefined : parse(reply, revive);
      };
      return new Proxy({}, {
        __proto__: null,
        get(target, key) {
          if (hasOwn(target, key)) return target[key];
          if (!isTool(key) || key === 'toJSON' && !owns(key)) return undefined;
          return async (...args) => await call(key, args); // handed on unawaited, it would be asked for its "then"
        },
      });
    };

    // connector makes the namespace of a connector. Values cross as they are, of the arguments
    // only the first; a reply can be an order to throw.
    const connector = (name) => {
      const { callTool } = globalObject[name];
      return new Proxy({}, {
        __proto__: null,
        get(target, key) {
          if (!isTool(key)) return undefined;
          return async (...args) => {
            const reply = await callTool(key, args[0], numbered());
            if (typeof reply === 'object' && reply !== null) {
              if (reply[CONTROL] === 'pause') throw new Error('__CODEMODE_PAUSE__');
              if (reply[CONTROL] === 'error') throw new Error(String(reply.message));
            }
            return reply;
          };
        },
      });
    };

    // ---- the console: entries are the arguments as strings, and nothing else is kept

    const write = (log, prefix) => (...args) => {
      const texts = [];
      for (let i = 0; i < args.length; i++) texts[i] = String(args[i]);
      let line = prefix;
      for (let i = 0; i < texts.length; i++) line += i === 0 ? texts[i] : ` ${texts[i]}`;
      log(line);
    };
    const { debug, info, log, warn } = console;
    // Entries of the level error are left to the runtime, which reports there what nobody caught.
    const kept = {
      __proto__: null,
      log: write(log, ''), info: write(info, '[info] '), debug: write(debug, '[debug] '),
      warn: write(warn, '[warn] '), error: write(warn, '[error] '),
    };
    for (const name of Object.keys(console)) console[name] = kept[name] ?? (() => {});

    // ---- the network: there is none, and the dialect's text says so

    const BLOCKED = 'This worker is not permitted to access the internet via global functions like fetch(). ' +
      "It must use capabilities (such as bindings in 'env') to talk to the outside world.";
    if (!hasOwn(globalObject, 'fetch')) {
      const { fetch } = { async fetch() { throw new Error(BLOCKED); } };
      Object.defineProperty(globalObject, 'fetch', { __proto__: null, value: fetch, writable: true, enumerable: true, configurable: true });
    }

    return { __proto__: null, provider, connector };
  })(this),
});
