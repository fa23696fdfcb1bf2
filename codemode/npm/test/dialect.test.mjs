// The dialect through a real server: the table that the Go package has too, and what only this side can show.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { WebSocketServer } from 'ws';
import { IsolateExecutor } from 'isogate-codemode';
import { decode, encode } from '../dist/codec.js';
import { startServer } from './server.mjs';

let server;
let executor;
before(async () => {
  server = await startServer();
  executor = new IsolateExecutor({ url: server.url });
});
after(async () => {
  await executor.close();
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

const tools = (fns, more = {}) => [{ name: 'codemode', fns, ...more }];
const common = tools({
  echo: async (...args) => (args.length === 0 ? 'nothing' : args[0]),
  fail: async () => { throw new Error('the tool failed'); },
});
const valueOf = async (code, providers = common, options = undefined) => {
  const { result, error } = await executor.execute(code, providers, options);
  assert.equal(error, undefined);
  return result;
};
const errorOf = async (code, providers = common, options = undefined) => {
  const { result, error } = await executor.execute(code, providers, options);
  assert.equal(result, undefined);
  return error;
};

const rows = JSON.parse(readFileSync(new URL('../../testdata/dialect.json', import.meta.url), 'utf8'));
test('the table of the dialect', async (t) => {
  assert.ok(rows.length > 180);
  for (const row of rows) {
    await t.test(`${row.row}: ${row.code}`, async () => {
      let given;
      const fns = { ...common[0].fns, take: async (...args) => { given = args; return null; } };
      const got = await executor.execute(row.code, tools(fns));
      if ('given' in row) {
        assert.equal(got.error, undefined);
        assert.deepStrictEqual(encode(given), encode(decode(row.given)));
      }
      assert.ok(Array.isArray(got.logs));
      assert.equal('error' in got, 'fault' in got);
      if ('value' in row) {
        assert.equal(got.error, undefined);
        assert.deepStrictEqual(encode(got.result), encode(decode(row.value)));
      }
      if ('error' in row) assert.equal(got.error, row.error);
      if ('stack' in row) assert.equal(got.fault.stack.trim(), row.stack);
      if ('logs' in row) assert.deepEqual(got.logs, row.logs);
    });
  }
});

test('names are refused with the texts of the dialect, and nothing runs', async () => {
  const fns = {};
  const binding = { callTool: async () => 1 };
  const reserved = [
    '__dispatchers', '__connectors', '__logs', '__CODEMODE_BINARY_TAG', '__bytesToBase64', '__base64ToBytes', '__encodeCodemodeValue',
    '__decodeCodemodeValue', '__stringifyForCodemode', '__parseForCodemode', 'WorkerEntrypoint', 'CodeExecutor', 'Promise', 'setTimeout', 'Error', 'console',
  ];
  const invalid = ['a-b', '', '1a', 'é', 'a\n', 'a = 1; const b', 'class', 'await', 'arguments', 'eval'];
  for (const [names, text] of [[reserved, 'is reserved'], [invalid, 'is not a valid JavaScript identifier'], [['undefined', 'NaN'], 'is reserved']]) {
    for (const name of names) {
      assert.deepEqual(await executor.execute('async () => 1', [{ name, fns }]), { result: undefined, error: `Provider name "${name}" ${text}` });
      assert.deepEqual(await executor.execute('async () => 1', [], { connectors: [{ name, binding }] }), { result: undefined, error: `Connector name "${name}" ${text}` });
    }
  }
  for (const [providers, connectors, error] of [
    [[{ name: 'a', fns }, { name: 'a', fns }], [], 'Duplicate provider name "a"'],
    [[], [{ name: 'a', binding }, { name: 'a', binding }], 'Duplicate name "a" (connector clashes with provider)'],
    [[{ name: 'a', fns }], [{ name: 'a', binding }], 'Duplicate name "a" (connector clashes with provider)'],
    [[{ name: 'p', fns: { 'a-b': binding.callTool, 'a.b': binding.callTool } }], [], 'Tool names "a-b" and "a.b" both sanitize to "a_b" in provider "p"'],
  ]) {
    assert.deepEqual(await executor.execute('async () => 1', providers, { connectors }), { result: undefined, error });
  }
  for (const name of ['__openapiHost', 'globalThis', 'JSON', 'Object', 'result', '__tools_x', '__codemode']) {
    assert.equal(await valueOf(`async () => await ${name}.f()`, [{ name, fns: { f: async () => name } }]), name);
  }
});

test('the record form works', async () => {
  const warn = console.warn;
  const said = [];
  console.warn = (text) => said.push(text);
  try {
    assert.equal(await valueOf('codemode.f(1)', { f: async (x) => x + 1 }), 2);
  } finally {
    console.warn = warn;
  }
  assert.deepEqual(said, ['[isogate-codemode] functions without a provider are deprecated: pass [{ name, fns }] to execute()']);
});

test('what a function throws, and returns', async () => {
  const fns = {
    string: async () => { throw 's'; },
    null: async () => { throw null; },
    object: async () => { throw { code: 42 }; },
    typed: async () => { throw Object.assign(new TypeError('t'), { code: 'E' }); },
    empty: async () => { throw new Error(''); },
    sync: () => 1,
    throwsAtOnce: () => { throw new Error('at once'); },
    nothing: async () => {},
    fn: async () => () => 1,
    big: async () => 1n,
    errorMember: async () => ({ error: 'x' }),
    buffer: async () => Buffer.from([1, 2]),
    cycle: async () => { const o = {}; o.o = o; return o; },
    forged: async () => ({ __codemode_binary_v1__: 'ArrayBuffer', data: 'AQI=' }),
    forgedWrong: async () => ({ __codemode_binary_v1__: 'Uint8Array', data: '!' }),
    json: async () => [undefined, , () => 1, NaN, Infinity, -0, { a: undefined, b: 1 }, new Date(0), new Date(NaN), new URL('https://example.com/a'), { toJSON: () => 'json' }, new Boolean(true)],
    objects: async () => [new Map([[1, 2]]), new Set([1]), /a/, new Error('e'), new Headers(), new Blob(['x']), AbortSignal.abort(), new (class A { own = 1; get inherited() { return 2; } })()],
    proto: async () => JSON.parse('{"__proto__":{"x":1}}'),
    surrogate: async () => '\ud800',
    bytes: async () => ({ deep: [new Uint8Array([1, 2]), new Uint16Array([1]).buffer, new Float32Array(1)] }),
    'get-it': async (...args) => args,
    __proto__: null,
  };
  Object.defineProperty(fns, '__proto__', { value: async () => 'own', enumerable: true });
  const providers = tools(fns);
  for (const [name, want] of Object.entries({
    string: 's', null_: 'null', object: '[object Object]', typed: 't', empty: 'Error', throwsAtOnce: 'at once', big: 'Do not know how to serialize a BigInt',
    cycle: "Converting circular structure to JSON\n    --> starting at object with constructor 'Object'\n    --- property 'o' closes the circle",
  })) {
    const code = `async () => { try { return await codemode.${name}() } catch (e) { return [e.message, e.name, e.constructor === Error, Object.keys(e)] } }`;
    assert.deepEqual(await valueOf(code, providers), [want, 'Error', true, []], name);
    assert.equal(await errorOf(`codemode.${name}()`, providers), want);
  }
  assert.equal(await valueOf('codemode.sync()', providers), 1);
  assert.deepEqual(await valueOf('[await codemode.nothing(), await codemode.fn()]', providers), [undefined, undefined]);
  assert.equal(await errorOf('codemode.forgedWrong()', providers), 'atob: the text is not correctly encoded base64');
  assert.deepEqual(await valueOf('codemode.forged()', providers), new Uint8Array([1, 2]).buffer);
  assert.deepEqual(await valueOf('codemode.json()', providers), [null, null, null, null, null, 0, { b: 1 }, '1970-01-01T00:00:00.000Z', null, 'https://example.com/a', 'json', true]);
  assert.deepEqual(await valueOf('codemode.objects()', providers), [{}, {}, {}, {}, {}, {}, {}, { own: 1 }]);
  assert.deepEqual(await valueOf('const p = await codemode.proto(); [Object.hasOwn(p, "__proto__"), Object.keys(p)]', providers), [true, ['__proto__']]);
  assert.deepEqual(await valueOf('const s = await codemode.surrogate(); [s.length, s.charCodeAt(0)]', providers), [1, 0xd800]);
  assert.deepEqual(await valueOf('codemode.errorMember()', providers), { error: 'x' });
  assert.deepEqual(await valueOf('codemode.buffer()', providers), { type: 'Buffer', data: [1, 2] });
  assert.deepEqual(await valueOf('codemode.bytes()', providers), { deep: [new Uint8Array([1, 2]), new Uint16Array([1]).buffer, new Uint8Array(4)] });
  assert.deepEqual(await valueOf("[await codemode.get_it(), await codemode.get_it(1, undefined, 'x')]", providers), [[], [1, null, 'x']]);
  assert.equal(await valueOf('codemode.__proto__()', providers), 'own');
  assert.equal(await errorOf('codemode.hasOwnProperty()', providers), 'Tool "hasOwnProperty" not found');
});

test('preludes and connectors', async () => {
  const step = tools({ record: async (name, value) => `${name}:${value}` }, { prelude: 'codemode.step = async (name, fn) => codemode.record(name, await fn()); const twice = (x) => [x, x];' });
  assert.deepEqual(await valueOf("async () => twice(await codemode.step('a', () => 1))", step), ['a:1', 'a:1']);
  assert.equal(await errorOf('1', tools({}, { prelude: "throw new Error('prelude')" })), 'prelude');

  const seen = [];
  const connectors = [{
    name: 'github',
    binding: {
      async callTool(method, args) {
        seen.push([method, args]);
        if (method === 'pause') return { __codemode_control__: 'pause' };
        if (method === 'error') return { __codemode_control__: 'error', message: 'no' };
        if (method === 'other') return { __codemode_control__: 'other' };
        if (method === 'number') return { __codemode_control__: 'error', message: 42 };
        if (method === 'silent') return { __codemode_control__: 'error' };
        if (method === 'own') return 'of the binding';
        if (method === 'fail') throw new Error('the binding failed');
        return new Map([[method, args]]);
      },
    },
  }];
  assert.deepEqual(await valueOf('github.list(new Set([1n]), 2)', [], { connectors }), new Map([['list', new Set([1n])]]));
  assert.deepEqual(await valueOf("github['a-b']()", [], { connectors }), new Map([['a-b', undefined]]));
  assert.deepEqual(seen, [['list', new Set([1n])], ['a-b', undefined]]);
  assert.equal(await errorOf('github.pause()', [], { connectors }), '__CODEMODE_PAUSE__');
  assert.equal(await errorOf('github.error()', [], { connectors }), 'no');
  assert.equal(await errorOf('github.number()', [], { connectors }), '42');
  assert.equal(await errorOf('github.silent()', [], { connectors }), 'undefined');
  assert.equal(await errorOf('github.fail()', [], { connectors }), 'the binding failed');
  assert.deepEqual(await valueOf('github.other()', [], { connectors }), { __codemode_control__: 'other' });
  assert.deepEqual(await valueOf('[typeof github.zzz, github[Symbol.iterator], typeof github.then]', [], { connectors }), ['function', undefined, 'undefined']);
  assert.equal(await valueOf('github.own = () => 1; github.own()', [], { connectors }), 'of the binding');
});

test('preludes run after all namespaces, in the scope of the program', async () => {
  const echo = async (x) => x;
  const providers = [
    { name: 'first', fns: { echo }, prelude: 'const twice = (x) => [x, x];\nfirst.both = async (x) => [await first.echo(x), await second.echo(x)];' },
    { name: 'second', fns: { echo }, prelude: "second.echo = (x) => 'own ' + twice(x); let counter = 0; const count = () => ++counter;" },
  ];
  assert.deepEqual(await valueOf('[await first.both(1), twice(2), count(), count(), counter]', providers), [[1, 'own 1,1'], [2, 2], 1, 2, 2]);
  for (const [prelude, text] of [
    ['\nlet = ;', "SyntaxError: Unexpected token ';' (codemode:prelude:0:2:7)\n  let = ;"],
    ["}); console.log('out'); (() => {", "SyntaxError: Unexpected token '}' (codemode:prelude:0:1:1)\n  }); console.log('out'); (() => {"],
  ]) {
    const { result, error, logs } = await executor.execute('1', tools({}, { prelude }));
    assert.deepEqual([result, error, logs], [undefined, text, []]);
  }
});

test('calls that a program leaves behind', async () => {
  const text = 'The code execution finished before this tool call settled. Await every tool call before returning.';
  // The work of the host goes on, and what it comes to reaches nobody: neither its value nor its failure.
  let open;
  let started;
  const gate = new Promise((resolve) => { open = resolve; });
  const begun = new Promise((resolve) => { started = resolve; });
  const ended = [];
  const fns = {
    slow: async () => { started(); await gate; ended.push('slow'); return 1; },
    fails: async () => { await gate; ended.push('fails'); throw new Error('too late'); },
    begun: async () => { await begun; },
    // A program that such a call runs ends with the dialect's text.
    nested: async () => {
      inner = executor.execute('console.log(1); await codemode.mark(); await codemode.never()', tools({ mark: async () => { marked(); }, never: () => new Promise(() => {}) }));
      return await inner;
    },
    marked: async () => { await mark; },
  };
  let inner;
  let marked;
  const mark = new Promise((resolve) => { marked = resolve; });
  const outer = await executor.execute('codemode.slow(); codemode.fails(); await codemode.begun(); codemode.nested(); await codemode.marked(); return "done"', tools(fns));
  assert.deepEqual([outer.result, outer.error, outer.usage.pendingCalls], ['done', undefined, 3]);
  assert.deepEqual(ended, []);
  const { result, error, fault } = await inner;
  assert.deepEqual([result, error, fault.code], [undefined, text, 'cancelled']);
  open();
  await gate;
  assert.deepEqual(ended, ['slow', 'fails']);
  assert.equal(await valueOf('1'), 1); // the late answers have harmed nothing
});

test('200 calls are in flight at one moment', async () => {
  let arrived = 0;
  let open;
  const all = new Promise((resolve) => { open = resolve; });
  const fns = { wait: async (i) => { if (++arrived === 200) open(); await all; return i; } };
  assert.equal(await valueOf('(await Promise.all(Array.from({length: 200}, (_, i) => codemode.wait(i)))).length', tools(fns)), 200);
});

test('calls start in the order in which the program makes them', async () => {
  const seen = [];
  const providers = tools({ note: async (i) => { seen.push(i); await null; return i; } });
  const connectors = [{ name: 'other', binding: { callTool: async (_method, i) => { seen.push(i); } } }];
  const code = `await Promise.allSettled(Array.from({ length: 100 }, (_, i) => (i % 10 === 3 ? other.x(() => 1) : i % 2 === 0 ? codemode.note(i) : other.note(i))))`;
  const settled = await valueOf(code, providers, { connectors });
  const refused = settled.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));
  assert.deepEqual(refused, Array.from({ length: 10 }, (_, i) => 10 * i + 3));
  assert.deepEqual(seen, Array.from({ length: 100 }, (_, i) => i).filter((i) => !refused.includes(i)));
});

test('a function can run programs, as deep as the server allows', async () => {
  const one = await startServer('--size', '1');
  const only = new IsolateExecutor({ url: one.url });
  const providers = tools({
    run: async (code) => {
      const { result, error } = await only.execute(code, providers);
      if (error !== undefined) throw new Error(error);
      return result;
    },
  });
  const inner = JSON.stringify("async () => 1 + await codemode.run('2')");
  assert.equal((await only.execute(`codemode.run(${inner})`, providers)).result, 3);
  await only.close();
  await one.stop();
});

test('a run that states nothing is bounded by 60 seconds', async () => {
  // A server in this process, which notes what it is asked for.
  const asked = [];
  const http = createHttp();
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => socket.on('message', (data) => {
    const message = JSON.parse(data);
    if (message.type === 'hello') socket.send(JSON.stringify({ type: 'welcome', version: message.version, maxFrame: 1 << 20 }));
    if (message.type !== 'execute') return;
    asked.push(message.request.limits.wallMs);
    socket.send(JSON.stringify({ type: 'result', execution: message.execution, result: { value: 1 } }));
  }));
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `ws://127.0.0.1:${http.address().port}`;
  for (const options of [{}, { timeout: 1500 }, { timeout: 0 }]) {
    const own = new IsolateExecutor({ url, ...options });
    assert.equal((await own.execute('1', [])).result, 1);
    await own.close();
  }
  assert.deepEqual(asked, [60_000, 1500, 100]);
  sockets.close();
  http.close();
});

test('timeouts keep the logs, and loops end', async () => {
  const short = new IsolateExecutor({ url: server.url, timeout: 200 });
  for (const code of ["console.log('a'); while (true) {}", "console.log('a'); await codemode.never()", "console.log('a'); await new Promise((r) => setTimeout(r, 1e6))"]) {
    const { result, error, logs, fault } = await short.execute(code, tools({ never: () => new Promise(() => {}) }));
    assert.deepEqual([result, error, logs, fault.code], [undefined, 'Execution timed out', ['a'], 'deadline_exceeded']);
  }
  // Programs that functions run count too, and end with the program around them.
  let inner;
  const nested = async () => {
    inner = executor.execute('await codemode.never()', tools({ never: () => new Promise(() => {}) }));
    return (await inner).result;
  };
  assert.equal(await errorOf('codemode.nested()', tools({ nested }), { limits: { wallMs: 500 } }), 'Execution timed out');
  assert.equal((await inner).error, 'The code execution finished before this tool call settled. Await every tool call before returning.');
  await short.close();
  const none = new IsolateExecutor({ url: server.url, timeout: 0 });
  assert.equal((await none.execute('await Promise.resolve(1)', [])).result, 1);
  await none.close();
});

test('what is added: signal, limits, onLog, fault, usage, calls', async () => {
  const controller = new AbortController();
  const stopped = await executor.execute('codemode.stop()', tools({ stop: () => { controller.abort(new Error('enough')); return new Promise(() => {}); } }), { signal: controller.signal });
  assert.equal(stopped.error, 'cancelled by the caller: enough');
  assert.deepEqual([stopped.fault.code, stopped.fault.delivered], ['cancelled', ['codemode.stop']]);
  assert.equal((await executor.execute('1', [], { signal: AbortSignal.abort() })).error, 'cancelled by the caller: This operation was aborted');

  const tooMuch = await executor.execute('await codemode.echo(); await codemode.echo()', common, { limits: { toolCalls: 1 } });
  assert.deepEqual([tooMuch.fault.code, tooMuch.fault.class, tooMuch.fault.delivered], ['tool_calls_exceeded', 'limit', ['codemode.echo']]);
  const wrong = await executor.execute('1', [], { limits: { toolCalls: -1 } });
  assert.deepEqual([wrong.fault.code, wrong.fault.field], ['invalid_request', 'limits.toolCalls']);

  const entries = [];
  const logged = await executor.execute("console.log('a'); console.error('b'); await codemode.mark(); console.debug('c')", tools({ mark: async () => { entries.push('mark'); } }), {
    onLog: ({ level, text }) => entries.push(`${level} ${text}`),
  });
  // The server decides whether a tenant may be stated; this one's does not let it be.
  assert.equal((await executor.execute('1', [], { tenant: 'acme' })).fault.field, 'tenant');
  // Entries keep their order, and so do calls; between the two there is none.
  assert.deepEqual(entries.filter((e) => e !== 'mark'), ['log a', 'error b', 'debug c']);
  assert.deepEqual(logged.logs, ['a', '[error] b', '[debug] c']);
  assert.equal(logged.usage.toolCalls, 1);
  assert.deepEqual(logged.calls.map(({ name, outcome }) => [name, outcome]), [['codemode.mark', 'ok']]);

  const thrown = await executor.execute("\nthrow new TypeError('t')", []);
  assert.deepEqual([thrown.fault.name, thrown.fault.text, thrown.fault.retryable, thrown.fault.stack.trim()], ['TypeError', 't', false, 'at default (program:2:7)']);
  const typo = await executor.execute('const a = 1;\nlet b = ;', []);
  assert.deepEqual([typo.fault.code, typo.fault.line, typo.fault.column, typo.fault.retryable], ['syntax', 2, 9, false]);
  const flood = await executor.execute("for (let i = 0; i < 10010; i++) console.log(i)", []);
  assert.deepEqual([flood.logs.length, flood.usage.droppedLogs], [10000, 10]);
});

test('modules', async () => {
  const own = new IsolateExecutor({ url: server.url, modules: { 'helpers.js': 'export const a = 1;' } });
  assert.deepEqual((await own.execute("[(await import('helpers.js')).a, (await import('./helpers.js')).a]", [])).result, [1, 1]);
  assert.equal((await own.execute("await import('missing.js')", [])).error, 'No such module "missing.js".');
  await own.close();
});

test('large values', async () => {
  const limits = { argument: 32 << 20, reply: 32 << 20, result: 32 << 20, heap: 512 << 20, external: 256 << 20 };
  assert.equal((await valueOf("'x'.repeat(4 << 20).length", [])), 4 << 20);
  assert.equal(await valueOf('(await codemode.f()).length', tools({ f: async () => 'x'.repeat(20 << 20) }), { limits }), 20 << 20);
  // The text as JSON, in an envelope of JSON: {"ok":"\"xx…\""}.
  const size = (100 << 20) + '{"ok":"\\"\\""}'.length;
  assert.equal(await errorOf('codemode.f()', tools({ f: async () => 'x'.repeat(100 << 20) }), { limits }),
    `Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: ${size} bytes.`);
  const small = { limits: { argument: 1000, reply: 1000, result: 1000 } };
  const providers = tools({ f: async () => 'x'.repeat(2000), echo: async (x) => x });
  const reply = await executor.execute('codemode.f()', providers, small);
  assert.deepEqual([reply.error, reply.fault.of], ['reply too large (codemode.f): the limit is 1000 bytes, the actual is 2013', 'codemode.f']);
  assert.equal(await errorOf("codemode.echo('x'.repeat(2000))", providers, small), 'arguments too large (codemode.echo): the limit is 1000 bytes, the actual is at least 2013');
  assert.equal(await errorOf("'x'.repeat(2000)", providers, small), 'result too large: the limit is 1000 bytes, the actual is at least 2002');
  const big = `async () => { const s = ${JSON.stringify('x'.repeat(6 << 20))}; return s.length }`;
  assert.equal(await valueOf(big, []), 6 << 20);
});

test('a server that is not there, or goes away, is an error of the result', async () => {
  const nobody = new IsolateExecutor({ url: `unix:${server.path}-nobody` });
  const { error, fault, logs } = await nobody.execute('1', []);
  assert.match(error, /^unavailable: /);
  assert.deepEqual([fault.code, fault.retryable, fault.started, logs], ['unavailable', true, false, []]);
  assert.throws(() => new IsolateExecutor({ url: 'ftp://x' }), /ftp/);

  const short = await startServer();
  const lost = new IsolateExecutor({ url: short.url });
  const gone = await lost.execute('codemode.kill()', tools({ kill: () => { short.kill('SIGKILL'); return new Promise(() => {}); } }));
  assert.deepEqual([gone.fault.code, gone.fault.started], ['disconnected', true]);
  assert.match((await lost.execute('1', [])).error, /^unavailable: /);
  await lost.close();
  assert.match((await lost.execute('1', [])).error, /closed/);

  // Somebody else's server: nothing it says is taken for an answer.
  const path = `${server.path}-other`;
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  await new Promise((resolve) => other.listen(path, resolve));
  const strange = new IsolateExecutor({ url: `unix:${path}` });
  assert.match((await strange.execute('1', [])).error, /status 200/);
  other.close();
});

test('many runs share one connection', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, (_, i) => executor.execute(`await codemode.echo(${i})`, common)));
  assert.deepEqual(results.map(({ result }) => result), Array.from({ length: 20 }, (_, i) => i));
});
