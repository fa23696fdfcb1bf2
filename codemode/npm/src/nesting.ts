// Which execution a function was called by, so that a program which the function runs is nested in it. Platforms
// without asynchronous contexts cannot tell; there, it is a program of its own.
import type { Execution } from './connection.js';

interface Storage {
  run<T>(store: Execution, f: () => T): T;
  getStore(): Execution | undefined;
}

type Hooks = { AsyncLocalStorage: new () => Storage };

async function load(): Promise<Storage | undefined> {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): Hooks | undefined } };
  try {
    const name = 'node:async_hooks'; // out of sight of what would bundle it
    const hooks = process?.getBuiltinModule?.(name) ?? ((await import(name)) as Hooks);
    return new hooks.AsyncLocalStorage();
  } catch {
    return undefined;
  }
}

const storage = await load();

/** Runs a function as called by an execution. */
export function calledBy<T>(execution: Execution, f: () => T): T {
  return storage === undefined ? f() : storage.run(execution, f);
}

/** The execution that the running function was called by. */
export function caller(): Execution | undefined {
  return storage?.getStore();
}
