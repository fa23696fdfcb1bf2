// The dialect through a real server: the table that the Go package has too, and what only this side can show.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
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
  assert.ok(rows.length > 80);
  for (const row of rows) {
    await t.test(row.code, async () => {
      const got = await executor.execute(row.code, common);
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
  for (const [providers, connectors, error] of [
    [[{ name: 'console', fns }], [], 'Provider name "console" is reserved'],
    [[{ name: 'a-b', fns }], [], 'Provider name "a-b" is not a valid JavaScript identifier'],
    [[{ name: 'a', fns }, { name: 'a', fns }], [], 'Duplicate provider name "a"'],
    [[], [{ name: 'Promise', binding }], 'Connector name "Promise" is reserved'],
    [[], [{ name: '1', binding }], 'Connector name "1" is not a valid JavaScript identifier'],
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
  assert.match(said.join(), /deprecated/);
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
    bytes: async () => ({ deep: [new Uint8Array([1, 2]), new Uint16Array([1]).buffer, new Float32Array(1)] }),
    'get-it': async (...args) => args,
    __proto__: null,
  };
  Object.defineProperty(fns, '__proto__', { value: async () => 'own', enumerable: true });
  const providers = tools(fns);
  for (const [name, want] of Object.entries({
    string: 's', null_: 'null', object: '[object Object]', typed: 't', empty: 'Error', throwsAtOnce: 'at once', big: 'Do not know how to serialize a BigInt',
  })) {
    const code = `async () => { try { return await codemode.${name}() } catch (e) { return [e.message, e.name, e.constructor === Error, Object.keys(e)] } }`;
    assert.deepEqual(await valueOf(code, providers), [want, 'Error', true, []], name);
    assert.equal(await errorOf(`codemode.${name}()`, providers), want);
  }
  assert.equal(await valueOf('codemode.sync()', providers), 1);
  assert.deepEqual(await valueOf('[await codemode.nothing(), await codemode.fn()]', providers), [undefined, undefined]);
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
  assert.equal(await errorOf('github.fail()', [], { connectors }), 'the binding failed');
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

test('timeouts keep the logs, and loops end', async () => {
  const short = new IsolateExecutor({ url: server.url, timeout: 200 });
  for (const code of ["console.log('a'); while (true) {}", "console.log('a'); await codemode.never()", "console.log('a'); await new Promise((r) => setTimeout(r, 1e6))"]) {
    const { result, error, logs, fault } = await short.execute(code, tools({ never: () => new Promise(() => {}) }));
    assert.deepEqual([result, error, logs, fault.code], [undefined, 'Execution timed out', ['a'], 'deadline_exceeded']);
  }
  await short.close();
  const none = new IsolateExecutor({ url: server.url, timeout: 0 });
  assert.equal((await none.execute('await Promise.resolve(1)', [])).result, 1);
  await none.close();
});

test('what is added: signal, limits, onLog, fault, usage, calls', async () => {
  const controller = new AbortController();
  const stopped = await executor.execute('codemode.stop()', tools({ stop: () => { controller.abort(new Error('enough')); return new Promise(() => {}); } }), { signal: controller.signal });
  assert.match(stopped.error, /cancelled by the caller: enough/);
  assert.deepEqual([stopped.fault.code, stopped.fault.delivered], ['cancelled', ['codemode.stop']]);
  assert.match((await executor.execute('1', [], { signal: AbortSignal.abort() })).error, /cancelled/);

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
  const error = await errorOf('codemode.f()', tools({ f: async () => 'x'.repeat(100 << 20) }), { limits });
  assert.match(error, /^Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: \d+ bytes\.$/);
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
