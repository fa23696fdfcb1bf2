// Callers with tokens over TCP, with the package ws and with a WebSocket as browsers, Deno, Bun and Workers have one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { IsolateExecutor } from 'isogate-codemode';
import { freePort, makeToken, startServer } from './server.mjs';

test('tokens over TCP', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'isogate-token-'));
  const file = join(folder, 'tokens');
  const token = makeToken(file);
  const config = join(folder, 'config.yaml');
  writeFileSync(config, 'tenants:\n  agents: {}\n', { mode: 0o600 });
  const port = await freePort();
  const server = await startServer('--config', config, '--listen', `tcp://127.0.0.1:${port}`, '--tokens', file);
  const own = globalThis.WebSocket;
  const url = `ws://127.0.0.1:${port}`;
  const fns = { echo: async (x) => x };
  const run = async (options) => {
    const executor = new IsolateExecutor({ url, ...options });
    const result = await executor.execute("await codemode.echo('x')", [{ name: 'codemode', fns }]);
    await executor.close();
    return result;
  };
  try {
    for (const [name, platforms] of [['the package ws', undefined], ["the platform's own", WebSocket]]) {
      await t.test(name, async () => {
        globalThis.WebSocket = platforms;
        assert.deepEqual(await run({ token }).then(({ result, error }) => [result, error]), ['x', undefined]);
        const wrong = await run({ token: 'isogate_wrong' });
        assert.equal(wrong.result, undefined);
        assert.match(wrong.fault.code, platforms === undefined ? /^unauthorized$/ : /^unavailable$/);
        assert.ok(wrong.error.length > 0);
        assert.equal((await run({})).result, undefined);
      });
    }
  } finally {
    globalThis.WebSocket = own;
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
