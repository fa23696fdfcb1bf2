// The package: an executor of @cloudflare/codemode on an isogate server, and what it does to names and programs.
export { IsolateExecutor, type IsolateExecutorOptions } from './executor.js';
export { normalizeCode } from './normalize.js';
export { sanitizeToolName } from './names.js';
export type {
  Call, ConnectorBinding, ExecuteOptions, ExecuteResult, Fault, Fn, Limits, LogEntry, ResolvedProvider, Usage,
} from './types.js';
