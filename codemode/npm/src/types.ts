// The types of codemode's Executor, as @cloudflare/codemode has them, and what is added to them.

/** A function of the host that programs can call. */
export type Fn = (...args: unknown[]) => Promise<unknown>;

/** A namespace of functions. */
export interface ResolvedProvider {
  /** The namespace's name in programs. */
  name: string;
  /** The functions, called by their names as sanitizeToolName makes them. */
  fns: Record<string, Fn>;
  /** JavaScript of the host's that runs before the program, in its scope. It cannot await. */
  prelude?: string;
}

/** A namespace whose every name can be called. */
export interface ConnectorBinding {
  name: string;
  binding: { callTool(method: string, args: unknown): Promise<unknown> };
}

/** Bounds of a run, see docs/contract.md: times in milliseconds, sizes in bytes, counts. */
export interface Limits {
  wallMs?: number;
  cpuMs?: number;
  toolTimeMs?: number;
  heap?: number;
  external?: number;
  source?: number;
  input?: number;
  result?: number;
  argument?: number;
  reply?: number;
  toolBytes?: number;
  toolCalls?: number;
  callsInFlight?: number;
  logBytes?: number;
  logEntries?: number;
  timers?: number;
  errorText?: number;
}

/** One entry that a program logged. */
export interface LogEntry {
  level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  text: string;
  /** Milliseconds since the program started. */
  ms: number;
}

/** A failure with its kind, see docs/contract.md. */
export interface Fault {
  code: string;
  class: 'program' | 'limit' | 'host' | 'executor';
  retryable: boolean;
  message: string;
  /** Whether the program had started. */
  started: boolean;
  /** The calls that had been delivered, as "namespace.function". */
  delivered?: string[];
  /** Of a program's error. */
  name?: string;
  text?: string;
  stack?: string;
  /** Of a syntax error, in the code as it was given. */
  line?: number;
  column?: number;
  [field: string]: unknown;
}

/** What a run cost, see docs/contract.md. */
export interface Usage {
  wallMs: number;
  cpuMs: number;
  peakHeap: number;
  peakExternal: number;
  queueMs: number;
  child?: number;
  toolCalls: number;
  droppedLogs?: number;
  pendingCalls?: number;
  pendingTimers?: number;
}

/** A call that was delivered. */
export interface Call {
  name: string;
  startMs: number;
  durationMs: number;
  outcome: 'ok' | 'error' | 'abandoned';
}

/** Options of a run. All but connectors are additions to codemode's. */
export interface ExecuteOptions {
  connectors?: ConnectorBinding[];
  /** Stops the run. */
  signal?: AbortSignal;
  /** Bounds of this run; what is not stated is the executor's. */
  limits?: Limits;
  /** Runs of different tenants do not share a process. */
  tenant?: string;
  /** Called with each entry as it is written, and with exceptions that nobody caught. */
  onLog?: (entry: LogEntry) => void;
}

/** What a run comes to. All but the first three members are additions to codemode's. */
export interface ExecuteResult {
  result: unknown;
  error?: string;
  logs?: string[];
  fault?: Fault;
  usage?: Usage;
  calls?: Call[];
}
