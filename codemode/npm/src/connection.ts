// One connection to a server and the executions on it. The messages are those of docs/contract.md, the
// rules those of docs/server.md.
import { MAX_FRAME, openSocket, type Socket, type SocketOptions } from './socket.js';
import { localFault } from './faults.js';
import type { Call, Fault, Limits, LogEntry, Usage } from './types.js';

const VERSION = 2;

/** A request as it is sent; see docs/contract.md. */
export interface NativeRequest {
  source: string;
  language: 'js' | 'ts';
  form: 'module';
  tools: { name: string; tools: string[] }[];
  modules?: Record<string, { source: string }>;
  scripts: { name: string; source: string }[];
  limits: Limits;
  tenant?: string;
  parent?: string;
}

/** A result as it arrives; the value is codec text. */
export interface NativeResult {
  value?: unknown;
  fault?: Fault;
  logs?: LogEntry[];
  calls?: Call[];
  usage?: Usage;
}

/** What an execution needs of its caller. */
export interface Handlers {
  /** Answers a call with the text of an envelope. It does not reject. */
  tool(execution: Execution, namespace: string, tool: string, args: string): Promise<string>;
  log?(entry: LogEntry): void;
}

/** One execution while it lasts. */
export interface Execution {
  readonly id: string;
  readonly connection: Connection;
  ended: boolean;
}

interface Running extends Execution {
  handlers: Handlers;
  resolve(result: NativeResult): void;
}

const bytes = new TextEncoder();

/** One connection. It ends with its socket and is not used again. */
export class Connection {
  readonly #running = new Map<string, Running>();
  #socket: Socket | undefined;
  #welcomed: (() => void) | undefined;
  #closed: string | undefined;
  #draining = false;
  #last = 0;
  #maxFrame = MAX_FRAME;
  /** The most that a request may state. */
  max: Limits = {};
  /** What a request has that states nothing. */
  defaults: Limits = {};

  /** Connects and waits to be welcome. */
  static async open(options: SocketOptions, timeoutMs: number): Promise<Connection> {
    const connection = new Connection();
    const closed = new Promise<never>((_resolve, reject) => {
      connection.#onClose = (reason) => reject(new Error(reason));
    });
    closed.catch(() => {});
    const welcome = new Promise<void>((resolve) => { connection.#welcomed = resolve; });
    const socket = await openSocket(options, {
      message: (text) => connection.#receive(text),
      close: (reason) => connection.#end(reason),
    }, timeoutMs);
    connection.#socket = socket;
    socket.send(JSON.stringify({ type: 'hello', version: VERSION, maxFrame: MAX_FRAME, agent: 'isogate-codemode' }));
    await Promise.race([welcome, closed]);
    socket.hold(false);
    return connection;
  }

  #onClose: ((reason: string) => void) | undefined;

  /** Whether new executions can start here. */
  get isOpen(): boolean {
    return this.#closed === undefined && !this.#draining;
  }

  /** Runs a request. The promise does not reject. */
  execute(request: NativeRequest, handlers: Handlers, signal: AbortSignal | undefined): Promise<NativeResult> {
    return new Promise((resolve) => {
      const running: Running = { id: `x${++this.#last}`, connection: this, ended: false, handlers, resolve };
      const message = JSON.stringify({ type: 'execute', execution: running.id, request, streamLogs: handlers.log !== undefined });
      const size = bytes.encode(message).length;
      if (size > this.#maxFrame) {
        const fault = localFault('source_too_large', 'limit', false, `the request has ${size} bytes, the server takes ${this.#maxFrame}`);
        resolve({ fault });
        return;
      }
      if (this.#closed !== undefined) {
        resolve({ fault: localFault('disconnected', 'executor', true, `disconnected from the executor: ${this.#closed}`) });
        return;
      }
      const cancel = (): void => {
        this.#send({ type: 'cancel', execution: running.id, reason: abortText(signal) });
      };
      running.resolve = (result) => {
        signal?.removeEventListener('abort', cancel);
        running.ended = true;
        this.#running.delete(running.id);
        if (this.#running.size === 0) this.#socket?.hold(false);
        resolve(result);
      };
      this.#running.set(running.id, running);
      this.#socket?.hold(true);
      this.#socket?.send(message);
      signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Ends the connection, and what runs on it. */
  close(): void {
    this.#socket?.close(1000);
    this.#end('it was closed by this side');
  }

  #send(message: object): void {
    if (this.#closed === undefined) this.#socket?.send(JSON.stringify(message));
  }

  #end(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#onClose?.(reason);
    for (const running of [...this.#running.values()]) {
      // Whether the program had started, and what was delivered, is not known any more.
      running.resolve({ fault: { ...localFault('disconnected', 'executor', false, `disconnected from the executor: ${reason}`), started: true } });
    }
  }

  #receive(text: string): void {
    try {
      this.#take(JSON.parse(text) as Message);
    } catch (error) {
      this.#socket?.close(1002);
      this.#end(`the server sent what it may not: ${String(error)}`);
    }
  }

  #take(message: Message): void {
    switch (message.type) {
      case 'welcome':
        if (message.version !== VERSION) throw new Error(`protocol version ${message.version}, this side speaks ${VERSION}`);
        this.#maxFrame = message.maxFrame;
        this.max = message.max ?? {};
        this.defaults = message.defaults ?? {};
        this.#welcomed?.();
        return;
      case 'tool_call':
        void this.#call(message);
        return;
      case 'log':
        this.#running.get(message.execution)?.handlers.log?.(message.entry);
        return;
      case 'result':
        this.#running.get(message.execution)?.resolve(message.result);
        return;
      case 'ping':
        this.#send({ type: 'pong', nonce: message.nonce });
        return;
      case 'drain':
        this.#draining = true;
        return;
      case 'call_ended': // functions cannot be told
      case 'pong':
        return;
    }
    throw new Error(`a message of the unknown type ${JSON.stringify((message as { type: unknown }).type)}`);
  }

  async #call({ execution, call, namespace, tool, args }: ToolCall): Promise<void> {
    const running = this.#running.get(execution);
    if (running === undefined) return; // it ended meanwhile
    const envelope = await running.handlers.tool(running, namespace, tool, args);
    if (running.ended) return;
    const message = JSON.stringify({ type: 'tool_reply', execution, call, envelope });
    const size = bytes.encode(message).length;
    if (size <= this.#maxFrame) {
      this.#socket?.send(message);
      return;
    }
    this.#send({ type: 'tool_reply', execution, call, envelope: errorEnvelope(tooLarge(size)) });
  }
}

/** The text of an envelope that fails a call. */
export function errorEnvelope(message: string): string {
  return JSON.stringify({ error: { name: 'Error', message } });
}

/** The dialect's text for a value that is too long. */
export function tooLarge(size: number): string {
  return `Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: ${size} bytes.`;
}

export function abortText(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason;
  return (reason instanceof Error ? reason.message : String(reason ?? 'aborted')).slice(0, 200);
}

interface ToolCall {
  type: 'tool_call';
  execution: string;
  call: number;
  namespace: string;
  tool: string;
  args: string;
}

type Message =
  | { type: 'welcome'; version: number; maxFrame: number; max?: Limits; defaults?: Limits }
  | ToolCall
  | { type: 'log'; execution: string; entry: LogEntry }
  | { type: 'result'; execution: string; result: NativeResult }
  | { type: 'ping'; nonce: number }
  | { type: 'pong' } | { type: 'drain' } | { type: 'call_ended' };
