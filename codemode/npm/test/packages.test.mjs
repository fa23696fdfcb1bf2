// The real @cloudflare/codemode on our executor: every entry that takes one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createBrowserCodeTool } from '@cloudflare/codemode/browser';
import { codeMcpServer, openApiMcpServer } from '@cloudflare/codemode/mcp';
import { createCodeTool, tanstackTools } from '@cloudflare/codemode/tanstack-ai';
import { toolDefinition } from '@tanstack/ai';
import { tool } from 'ai';
import { z } from 'zod';
import { IsolateExecutor } from 'isogate-codemode';
import { ai, resolveProvider, root as upstream, runCode } from './upstream.mjs';
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

test('/ai createCodeTool', async () => {
  const codeTool = ai.createCodeTool({
    executor,
    tools: {
      'get-weather': tool({
        description: 'the weather of a city', inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => ({ city, celsius: 7 }),
      }),
      approve: tool({ description: 'wants approval', inputSchema: z.object({}), needsApproval: true, execute: async () => 1 }),
    },
  });
  assert.match(codeTool.description, /get_weather/);
  const run = (code) => codeTool.execute({ code }, { toolCallId: '1', messages: [] });
  assert.deepEqual(await run("const w = await codemode.get_weather({ city: 'Oslo' });\nconsole.log('got', w.celsius);\nw"), {
    result: { city: 'Oslo', celsius: 7 }, logs: ['got 7'],
  });
  assert.deepEqual(await run('async () => 1;'), { result: 1 });
  await assert.rejects(run("console.log('a'); console.warn('b'); throw new Error('boom')"), { message: 'Code execution failed: boom\n\nConsole output:\na\n[warn] b' });
  await assert.rejects(run("throw 'text'"), { message: 'Code execution failed: text' });
  await assert.rejects(run('throw null'), { message: 'Code execution failed: null' });
  await assert.rejects(run("throw new Error('')"), { message: 'Code execution failed: Error' });
  await assert.rejects(run('codemode.get_weather({ city: 1 })'), /Code execution failed: .*invalid_type/s);
  await assert.rejects(run('codemode.approve()'), { message: 'Code execution failed: Tool "approve" not found' });
});

test('/ai with several providers', async () => {
  const echo = { description: 'echo', execute: async (x) => x };
  const codeTool = ai.createCodeTool({ executor, tools: [{ name: 'a', tools: { echo } }, { name: 'b', tools: { echo } }] });
  assert.deepEqual(await codeTool.execute({ code: '[await a.echo(1), await b.echo([2])]' }, {}), { result: [1, [2]] });
});

test('runCode and resolveProvider of the root', async () => {
  const provider = resolveProvider({ name: 'codemode', tools: { 'a.b': { description: '', execute: async (x) => x } } });
  assert.deepEqual(await runCode({ code: 'codemode.a_b({x: 1})', executor, providers: [provider] }), { result: { x: 1 } });
  const connectors = [{ name: 'files', binding: { callTool: async (method, args) => [method, args] } }];
  assert.deepEqual(await runCode({ code: 'files.read({p: 1})', executor, providers: [], connectors }), { result: ['read', { p: 1 }] });
});

test('/tanstack-ai createCodeTool', async () => {
  const add = toolDefinition({
    name: 'add', description: 'adds', inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.number(),
  }).server(async ({ a, b }) => a + b);
  const codeTool = createCodeTool({ executor, tools: [tanstackTools([add], 'math')] });
  assert.match(codeTool.description, /math/);
  assert.deepEqual(await codeTool.execute({ code: 'async () => (await Promise.all([1, 2, 3].map((n) => math.add({ a: n, b: n })))).join()' }), { result: '2,4,6' });
  await assert.rejects(async () => await codeTool.execute({ code: 'math.nope()' }), { message: 'Code execution failed: Tool "nope" not found' });
});

test('/browser createBrowserCodeTool', async () => {
  const codeTool = createBrowserCodeTool({
    executor,
    tools: [{ name: 'add-todo', description: 'adds', inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, execute: async ({ text }) => ({ added: text }) }],
  });
  assert.match(codeTool.description, /add_todo/);
  const { result, logs } = await codeTool.execute({ code: "const r = await codemode.add_todo({ text: 'x' });\nconsole.warn('w');\nr" });
  assert.deepEqual([result, logs], [{ added: 'x' }, ['[warn] w']]);
  await assert.rejects(async () => await codeTool.execute({ code: 'codemode.add_todo(1n)' }), { message: 'Code execution failed: Do not know how to serialize a BigInt' });
});

// Connects a client to an MCP server in this process.
async function clientOf(mcp) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([mcp.connect(theirs), client.connect(ours)]);
  return client;
}
const textOf = (answer) => answer.content.map(({ text }) => text).join('');

test('/mcp codeMcpServer', async () => {
  const upstream = new McpServer({ name: 'upstream', version: '1.0.0' });
  upstream.registerTool('add', { description: 'adds', inputSchema: { a: z.number(), b: z.number() } }, async ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
  upstream.registerTool('fail', { description: 'fails' }, async () => ({ isError: true, content: [{ type: 'text', text: 'the tool failed' }] }));
  const client = await clientOf(await codeMcpServer({ server: upstream, executor }));
  const call = async (code) => await client.callTool({ name: 'code', arguments: { code } });
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['code']);
  assert.equal(textOf(await call('async () => await codemode.add({ a: 20, b: 22 })')), '42');
  assert.equal(textOf(await call('async () => undefined')), 'undefined');
  assert.equal(textOf(await call('async () => null')), 'null');
  assert.equal(textOf(await call('const x = await codemode.add({ a: 1, b: 1 });\n({ x })')), '{\n  "x": 2\n}');
  // Logs are dropped by the package, whatever the outcome.
  assert.equal(textOf(await call("console.log('a'); return 1")), '1');
  assert.equal(textOf(await call("console.log('a'); throw new Error('boom')")), 'Error: boom');
  for (const [code, text] of [['codemode.fail()', 'Error: the tool failed'], ["throw 'text'", 'Error: text'], ['async () => {', 'Error: SyntaxError: Unexpected end of input (program:1:14)\n  async () => {'], ['nope.x()', 'Error: nope is not defined']]) {
    const answer = await call(code);
    assert.deepEqual([answer.isError, textOf(answer)], [true, text]);
  }
  await client.close();
});

// An API's description of 2,000 operations and some megabytes.
function apiOf(operations) {
  const paths = {};
  for (let i = 0; i < operations / 2; i++) {
    const parameters = Array.from({ length: 4 }, (_, n) => ({ name: `p${n}`, in: 'query', schema: { type: 'string' }, description: `the parameter ${n} of ${i} `.repeat(5) }));
    const responses = { 200: { description: 'fine', content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } } };
    paths[`/items${i}/{id}`] = {
      get: { operationId: `get${i}`, summary: `gets ${i}`, tags: [i % 100 === 0 ? 'rare' : 'common'], parameters, responses },
      post: { operationId: `post${i}`, summary: `posts </script> ${i}`, tags: ['common'], parameters, responses },
    };
  }
  const components = { schemas: { Item: { type: 'object', properties: { id: { type: 'string' }, parent: { $ref: '#/components/schemas/Item' } } } } };
  return { openapi: '3.1.0', info: { title: 'items', version: '1' }, paths, components };
}

test('/mcp openApiMcpServer with 2,000 operations', async () => {
  const spec = apiOf(2000);
  assert.ok(JSON.stringify(spec).length > 1 << 20);
  const requests = [];
  const large = new IsolateExecutor({ url: server.url, limits: { heap: 256 << 20, cpuMs: 60_000 } });
  const client = await clientOf(openApiMcpServer({
    spec, executor: large,
    request: async (options) => {
      requests.push(options);
      return { id: options.path.split('/').at(-1), method: options.method };
    },
  }));
  const call = async (name, code) => await client.callTool({ name, arguments: { code } });
  const found = await call('search', `async () => {
    const spec = await codemode.spec();
    const out = [];
    for (const [path, item] of Object.entries(spec.paths)) for (const [method, op] of Object.entries(item)) if (op.tags.includes('rare')) out.push(method + ' ' + path);
    return [Object.keys(spec.paths).length, out.length, out[1], spec.paths['/items1/{id}'].get.responses[200].content['application/json'].schema.properties.parent]
  }`);
  assert.deepEqual(JSON.parse(textOf(found)), [1000, 10, 'get /items100/{id}', { $circular: '#/components/schemas/Item' }]);
  const answer = await call('execute', "async () => await Promise.all([1, 2].map((id) => codemode.request({ method: 'GET', path: '/items7/' + id })))");
  assert.deepEqual(JSON.parse(textOf(answer)), [{ id: '1', method: 'GET' }, { id: '2', method: 'GET' }]);
  assert.deepEqual(requests.map(({ path }) => path), ['/items7/1', '/items7/2']);
  const failed = await call('execute', "async () => { throw new Error('boom') }");
  assert.deepEqual([failed.isError, textOf(failed)], [true, 'Error: boom']);
  await client.close();
  await large.close();
});

test('what loads in plain Node', () => {
  const load = (entry) => execFileSync(process.execPath, ['--input-type=module', '--eval', `
    const found = await import(${JSON.stringify(`@cloudflare/codemode${entry}`)}).then(Object.keys, (error) => error.code);
    console.log(JSON.stringify(found));
  `], { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' });
  for (const [entry, name] of [['/browser', 'createBrowserCodeTool'], ['/tanstack-ai', 'createCodeTool'], ['/mcp', 'codeMcpServer'], ['/mcp', 'openApiMcpServer'], ['/vite', 'default']]) {
    const found = JSON.parse(load(entry));
    assert.ok(found.includes(name), `${entry}: ${found}`);
  }
  // These two need the hook of upstream.mjs.
  for (const entry of ['', '/ai']) assert.equal(JSON.parse(load(entry)), 'ERR_UNSUPPORTED_ESM_URL_SCHEME', entry);
  assert.equal(typeof upstream.createCodemodeRuntime, 'function');
});

test('the types satisfy those of the package', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const folder = mkdtempSync(join(root, 'node_modules', '.types-'));
  try {
    writeFileSync(join(folder, 'check.ts'), `
      import type { ConnectorBinding, ExecuteOptions, ExecuteResult, Executor, ResolvedProvider } from '@cloudflare/codemode';
      import type { Executor as BrowserExecutor } from '@cloudflare/codemode/browser';
      import * as ours from 'isogate-codemode';
      const own = new ours.IsolateExecutor({ url: 'wss://localhost:1', token: 't', timeout: 1000 });
      export const executor: Executor = own;
      export const browser: BrowserExecutor = own;
      export const providers = (p: ResolvedProvider[]): ours.ResolvedProvider[] => p;
      export const connector = (c: ConnectorBinding): ours.ConnectorBinding => c;
      export const options = (o: ExecuteOptions): Promise<ExecuteResult> => own.execute('1', [], o as ours.ExecuteOptions);
      export const more = own.execute('1', [], { signal: AbortSignal.abort(), limits: { cpuMs: 1 }, tenant: 't', onLog: ({ level, text }) => { void [level, text]; } });
    `);
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'NodeNext', '--moduleResolution', 'NodeNext', '--target', 'ES2022', '--lib', 'ES2023,DOM'];
    execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...flags, join(folder, 'check.ts')], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(String(error.stdout ?? error));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
