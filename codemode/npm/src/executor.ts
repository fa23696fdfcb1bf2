// The executor: a run of the dialect from its request to its result. It is codemode/executor.go on the
// other side of a socket.
import { Connection, abortText, errorEnvelope, tooLarge, type Execution, type NativeRequest, type NativeResult } from './connection.js';
import { decode, encode } from './codec.js';
import { NOT_AWAITED, errorText, localFault, toolErrorText } from './faults.js';
import { Unauthorized, addressOf, type SocketOptions } from './socket.js';
import { calledBy, caller } from './nesting.js';
import { excerptOf, originalPosition, originalStack, programs, sourceOf, type Program } from './program.js';
import { guest } from './guest.js';
import { nameAll, publicName, type Names } from './names.js';
import { parse, stringify } from './binary.js';
import type { ConnectorBinding, ExecuteOptions, ExecuteResult, Fault, Fn, Limits, LogEntry, ResolvedProvider } from './types.js';

/** Options of an executor. */
export interface IsolateExecutorOptions {
  /** The server: unix:/path/to/socket, wss://host:port, or http(s) for the same. */
  url: string;
  /** Who calls, where the server wants a token. */
  token?: string;
  /** Bounds a run in milliseconds, functions and nested runs included; default 60 000. */
  timeout?: number;
  /** Bounds of every run; what is not stated is the server's. */
  limits?: Limits;
  /** Runs of different tenants do not share a process. */
  tenant?: string;
  /** What programs may import, by specifier: JavaScript. "name" is also "./name". */
  modules?: Record<string, string>;
  /** Bounds the time to connect in milliseconds; default 10 000. */
  connectTimeout?: number;
  /** Options of node:tls, such as ca, cert and key. */
  tls?: Record<string, unknown>;
}

const GUEST = 'codemode:guest';
const DEFAULT_TIMEOUT = 60_000;
const SHORTEST = 100; // enough for a program that waits for nothing
const MAX_REPLY = 32 * 1024 * 1024;
// Asked for where the server allows it: the dialect bounds neither.
const WANTED = { callsInFlight: 1024, toolCalls: 100_000 };

/**
 * Runs programs on an isogate server; the functions stay in this process. It implements the Executor of
 * `@cloudflare/codemode`: every failure is in the result, and nothing rejects.
 *
 * It connects when it is first used and again when it is used after the connection was lost. Runs that
 * a lost connection ends are not repeated.
 */
export class IsolateExecutor {
  readonly #options: IsolateExecutorOptions;
  readonly #modules: Record<string, { source: string }> | undefined;
  #connection: Promise<Connection> | undefined;
  #closed = false;

  constructor(options: IsolateExecutorOptions) {
    addressOf(options.url); // throws for what is no address
    this.#options = options;
    this.#modules = modulesOf(options.modules);
  }

  /** Runs a program as a language model wrote it. */
  async execute(
    code: string, providersOrFns: ResolvedProvider[] | Record<string, Fn>, options: ExecuteOptions = {},
  ): Promise<ExecuteResult> {
    try {
      return await this.#execute(code, providersOf(providersOrFns), options ?? {});
    } catch (error) {
      return failed(localFault('unavailable', 'executor', true, `the run failed on this side: ${toolErrorText(error)}`));
    }
  }

  /** Ends the connection, and what runs on it. */
  async close(): Promise<void> {
    this.#closed = true;
    const connection = await this.#connection?.catch(() => undefined);
    connection?.close();
  }

  async #execute(code: string, providers: ResolvedProvider[], options: ExecuteOptions): Promise<ExecuteResult> {
    const connectors = options.connectors ?? [];
    const names = nameAll(providers, connectors);
    if (typeof names === 'string') return { result: undefined, error: names };
    const { signal } = options;
    if (signal?.aborted) return failed(localFault('cancelled', 'host', false, `cancelled by the caller: ${abortText(signal)}`));
    let connection: Connection;
    try {
      connection = await this.#connect();
    } catch (error) {
      if (error instanceof Unauthorized && error.isUnauthorized) return failed(localFault('unauthorized', 'host', false, `unauthorized: ${error.message}`));
      return failed(localFault('unavailable', 'executor', true, `unavailable: ${toolErrorText(error)}`));
    }
    const parent = caller();
    const isNested = parent !== undefined && parent.connection === connection && !parent.ended;
    const run = new Run(names, providers, connectors, options.onLog);
    const list = programs(code);
    for (const program of list) {
      const request = this.#request(program, run, providers, connection, options);
      if (isNested) request.parent = parent.id;
      const native = await connection.execute(request, run, signal);
      const { fault } = native;
      // It is no TypeScript either: the engine says what is wrong with it.
      if (program !== list.at(-1) && fault?.code === 'syntax' && fault['file'] === 'program' && !fault.started) continue;
      const result = run.result(native, program);
      if (isNested && parent.ended && fault?.code === 'cancelled') result.error = NOT_AWAITED;
      return result;
    }
    throw new Error('a program without a form');
  }

  async #connect(): Promise<Connection> {
    if (this.#closed) throw new Error('the executor was closed');
    const known = await this.#connection?.catch(() => undefined);
    if (known?.isOpen) return known;
    // Whoever comes first connects, the others wait with it.
    if (this.#opening === undefined) {
      const options: SocketOptions = { url: this.#options.url };
      if (this.#options.token !== undefined) options.token = this.#options.token;
      if (this.#options.tls !== undefined) options.tls = this.#options.tls;
      this.#opening = Connection.open(options, this.#options.connectTimeout ?? 10_000).finally(() => { this.#opening = undefined; });
      this.#connection = this.#opening;
    }
    return await this.#opening;
  }

  #opening: Promise<Connection> | undefined;

  #request(program: Program, run: Run, providers: ResolvedProvider[], connection: Connection, options: ExecuteOptions): NativeRequest {
    const source = sourceOf(program);
    const request: NativeRequest = {
      source, language: program.language, form: 'module', tools: run.tools(), scripts: run.scripts(providers),
      limits: this.#limits(connection, options.limits, source),
    };
    if (this.#modules !== undefined) request.modules = this.#modules;
    const tenant = options.tenant ?? this.#options.tenant;
    if (tenant !== undefined) request.tenant = tenant;
    return request;
  }

  #limits({ max, defaults }: Connection, stated: Limits | undefined, source: string): Limits {
    const limits: Limits = { ...(stated ?? this.#options.limits) };
    const { timeout } = this.#options;
    // What nobody stated is lowered to what the server allows; what was stated is sent as it is.
    const atMost = (value: number, bound: number | undefined): number => (bound === undefined ? value : Math.min(value, bound));
    limits.wallMs ??= timeout === undefined ? atMost(DEFAULT_TIMEOUT, max.wallMs) : Math.max(SHORTEST, Math.ceil(timeout) || 0);
    const toolTime = defaults.toolTimeMs ?? 120_000;
    if (limits.wallMs > toolTime) limits.toolTimeMs ??= atMost(limits.wallMs, max.toolTimeMs);
    limits.callsInFlight ??= atMost(WANTED.callsInFlight, max.callsInFlight);
    limits.toolCalls ??= atMost(WANTED.toolCalls, max.toolCalls);
    const size = new TextEncoder().encode(source).length;
    if (defaults.source !== undefined && size > defaults.source) limits.source ??= atMost(size, max.source);
    return limits;
  }
}

let warned = false;

function providersOf(providersOrFns: ResolvedProvider[] | Record<string, Fn>): ResolvedProvider[] {
  if (Array.isArray(providersOrFns)) return providersOrFns;
  if (!warned) {
    warned = true;
    console.warn('[isogate-codemode] functions without a provider are deprecated: pass [{ name, fns }] to execute()');
  }
  return [{ name: 'codemode', fns: providersOrFns }];
}

function modulesOf(given: Record<string, string> | undefined): Record<string, { source: string }> | undefined {
  if (given === undefined) return undefined;
  const modules: Record<string, { source: string }> = {};
  for (const [specifier, source] of Object.entries(given)) {
    const plain = specifier.replace(/^\.\//, '');
    for (const name of [plain, `./${plain}`]) {
      if (name === specifier || !Object.hasOwn(given, name)) modules[name] = { source };
    }
  }
  return modules;
}

function failed(fault: Fault): ExecuteResult {
  return { result: undefined, error: errorText(fault), logs: [], fault };
}

// The guest's side numbers calls from 1.
interface Numbered {
  n: number;
}

// One run: its native names, and what answers them.
class Run {
  readonly #names: Names;
  readonly #providers: Map<string, Map<string, Fn>>;
  readonly #connectors: Map<string, ConnectorBinding['binding']>;
  readonly #order: { provider: string[]; connector: string[] };
  readonly #logs: string[] = [];
  readonly log?: (entry: LogEntry) => void;

  constructor(names: Names, providers: ResolvedProvider[], connectors: ConnectorBinding[], onLog: ExecuteOptions['onLog']) {
    this.#names = names;
    this.#providers = new Map(providers.map((p, i) => [names.prefix + p.name, names.tools[i] as Map<string, Fn>]));
    this.#connectors = new Map(connectors.map((c) => [names.prefix + c.name, c.binding]));
    this.#order = { provider: providers.map((p) => p.name), connector: connectors.map((c) => c.name) };
    if (onLog !== undefined) {
      this.log = (entry) => {
        this.#keep(entry);
        try {
          onLog(told(entry));
        } catch (error) {
          console.error('[isogate-codemode] onLog threw', error);
        }
      };
    }
  }

  tools(): NativeRequest['tools'] {
    const tools: NativeRequest['tools'] = [];
    for (const [name, fns] of this.#providers) if (fns.size > 0) tools.push({ name, tools: [...fns.keys()].map((fn) => `$${fn}`) });
    for (const name of this.#connectors.keys()) tools.push({ name, tools: ['callTool'] });
    return tools;
  }

  // Nothing is put into the scripts but names that were checked.
  scripts(providers: ResolvedProvider[]): NativeRequest['scripts'] {
    let lines = '';
    for (const kind of ['provider', 'connector'] as const) {
      for (const name of this.#order[kind]) lines += `const ${name} = this.__codemode.${kind}("${this.#names.prefix}${name}");\n`;
    }
    const scripts = [{ name: GUEST, source: guest }, { name: 'codemode:names', source: `${lines}delete this.__codemode;\n` }];
    providers.forEach(({ prelude }, i) => {
      if (prelude) scripts.push({ name: `codemode:prelude:${i}`, source: prelude });
    });
    return scripts;
  }

  /** Answers a call. It does not reject. */
  async tool(execution: Execution, namespace: string, tool: string, args: string): Promise<string> {
    try {
      const binding = this.#connectors.get(namespace);
      if (binding !== undefined) {
        const [method, argument, number] = decode(JSON.parse(args)) as [string, unknown, Numbered];
        const value = await this.#inTurn(number, () => calledBy(execution, async () => await binding.callTool(method, argument)));
        return bounded(JSON.stringify({ ok: encode(value) }));
      }
      const fn = this.#providers.get(namespace)?.get(tool.slice(1));
      if (fn === undefined) return errorEnvelope(`Tool "${tool.slice(1)}" not found`);
      const [text, number] = JSON.parse(args) as [string, Numbered];
      const value = await this.#inTurn(number, () => {
        const given = parse(text);
        const list: unknown[] = Array.isArray(given) ? given : [given];
        return calledBy(execution, async () => await fn(...list));
      });
      const reply = stringify(value);
      return reply === undefined ? JSON.stringify({ ok: { $: 'undefined' } }) : bounded(JSON.stringify({ ok: reply }));
    } catch (error) {
      return errorEnvelope(toolErrorText(error));
    }
  }

  // Starts calls in the order in which the program made them: they can arrive in another.
  async #inTurn<T>(number: Numbered | undefined, start: () => T): Promise<Awaited<T>> {
    const n = number?.n ?? 0;
    if (n > this.#next) await new Promise<void>((resolve) => { this.#waiting.set(n, resolve); });
    let started: T;
    try {
      started = start();
    } finally {
      if (n === this.#next) {
        this.#next++;
        this.#waiting.get(this.#next)?.();
        this.#waiting.delete(this.#next);
      }
    }
    return await started;
  }

  #next = 1;
  readonly #waiting = new Map<number, () => void>();

  /** Turns the native result into the dialect's, in the program's own names and positions. */
  result(native: NativeResult, program: Program): ExecuteResult {
    for (const entry of this.log === undefined ? (native.logs ?? []) : []) this.#keep(entry);
    const result: ExecuteResult = { result: undefined };
    const { fault } = native;
    if (fault === undefined) {
      result.result = 'value' in native ? decode(native.value) : undefined;
    } else {
      result.fault = this.#own(fault, program);
      result.error = errorText(result.fault);
    }
    result.logs = this.#logs;
    if (native.usage !== undefined) result.usage = native.usage;
    if (native.calls !== undefined) result.calls = native.calls.map((call) => ({ ...call, name: publicName(this.#names, call.name) }));
    return result;
  }

  #own(fault: Fault, program: Program): Fault {
    const own: Fault = { ...fault };
    if (fault.delivered !== undefined) own.delivered = fault.delivered.map((name) => publicName(this.#names, name));
    const { of } = fault; // the function that a limit names
    if (typeof of === 'string') {
      const name = publicName(this.#names, of);
      Object.assign(own, { of: name, message: fault.message.replace(of, () => name) });
    }
    if (fault.code === 'syntax' && fault['file'] === 'program') {
      const at = originalPosition(program, fault.line ?? 1, fault.column ?? 1);
      Object.assign(own, at, { excerpt: excerptOf(program, at.line, at.column) });
    }
    if (fault.stack !== undefined) own.stack = originalStack(program, fault.stack, GUEST);
    if (Array.isArray(fault['causes'])) {
      own['causes'] = (fault['causes'] as { stack?: string }[]).map((cause) =>
        cause.stack === undefined ? cause : { ...cause, stack: originalStack(program, cause.stack, GUEST) });
    }
    return own;
  }

  // The guest's side writes no entry of the level error: those are the runtime's own, of exceptions that nobody caught.
  #keep(entry: LogEntry): void {
    if (entry.level !== 'error') this.#logs.push(entry.text);
  }
}

function bounded(envelope: string): string {
  // Shorter in code units than in bytes, so this alone does not say that it fits.
  if (envelope.length * 3 <= MAX_REPLY) return envelope;
  const size = new TextEncoder().encode(envelope).length;
  return size <= MAX_REPLY ? envelope : errorEnvelope(tooLarge(size));
}

// An entry as its listener is told of it: with its own level, and without the dialect's mark of that.
function told(entry: LogEntry): LogEntry {
  const marks: Partial<Record<LogEntry['level'], LogEntry['level'][]>> = { warn: ['error', 'warn'], info: ['info'], debug: ['debug'] };
  for (const level of marks[entry.level] ?? []) {
    if (entry.text.startsWith(`[${level}] `)) return { ...entry, level, text: entry.text.slice(level.length + 3) };
  }
  return entry;
}
