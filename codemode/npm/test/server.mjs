// What the tests share: one isogate server on a unix socket in a folder of its own, and an executor on it.
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const binary = process.env.ISOGATE ?? fileURLToPath(new URL('../../../bin/isogate', import.meta.url));

/** Starts a server with these flags beside its address, and waits until it listens. */
export async function startServer(...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'isogate-'));
  const path = join(folder, 'socket');
  const child = spawn(binary, ['serve', ...flags, '--listen', `unix://${path}`, '--log-level', 'error'], { stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => { said += data; });
  const exited = new Promise((resolve) => { child.on('exit', (code, signal) => resolve({ code, signal })); });
  let ended;
  void exited.then((how) => { ended = how; });
  while (!existsSync(path)) {
    if (ended !== undefined) throw new Error(`${binary} serve ended with ${JSON.stringify(ended)}: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 10)); // until the file is there or the process is not
  }
  return {
    url: `unix:${path}`,
    path,
    kill: (signal) => child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      const how = await exited;
      rmSync(folder, { recursive: true, force: true });
      return how;
    },
  };
}

/** Makes a token and the file for the server that knows its hash. */
export function makeToken(file) {
  return execFileSync(binary, ['token', 'agents', '--file', file], { encoding: 'utf8' }).trim();
}

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
