// What the tests share: one isogate server on a unix socket in a folder of its own, and an executor on it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const binary = process.env.ISOGATE ?? fileURLToPath(new URL('../../../bin/isogate', import.meta.url));

/** Starts a server with these flags beside its address, and waits until it listens. */
export async function startServer(...flags) {
  const folder = mkdtempSync(join(tmpdir(), 'isogate-'));
  const path = join(folder, 'socket');
  const child = spawn(binary, ['serve', '--listen', `unix://${path}`, '--log-level', 'error', ...flags], { stdio: ['ignore', 'inherit', 'pipe'] });
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
