// The texts of failures: of a run, from its fault, and of a function.
import { decode } from './codec.js';
import { stringify } from './binary.js';
import type { Fault } from './types.js';

export const TIMED_OUT = 'Execution timed out';
export const NOT_AWAITED =
  'The code execution finished before this tool call settled. Await every tool call before returning.';

const evalIsOff = 'Code generation from strings is off; the host can grant "eval"';
const evalDisallowed = 'Code generation from strings disallowed for this context';

/** The text of a fault, never empty: the message alone where the program threw an error. */
export function errorText(fault: Fault): string {
  switch (fault.code) {
    case 'thrown': return thrownText(fault);
    case 'syntax': {
      const text = `SyntaxError: ${String(fault['reason'])} (${String(fault['file'])}:${fault.line}:${fault.column})`;
      return typeof fault['excerpt'] === 'string' && fault['excerpt'] !== '' ? `${text}\n  ${fault['excerpt']}` : text;
    }
    case 'stack_exceeded': return 'Maximum call stack size exceeded';
    case 'deadline_exceeded': return TIMED_OUT;
    case 'module_not_found': return `No such module "${String(fault['specifier'])}".`;
  }
  return fault.message || fault.code;
}

function thrownText(fault: Fault): string {
  if (fault.name !== undefined && fault.name !== '') {
    if (fault.text === evalIsOff) return evalDisallowed;
    return fault.text || fault.name;
  }
  const value = 'value' in fault ? decode(fault['value']) : undefined;
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'object' && value !== null) {
    const { message } = value as { message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
    if (message !== undefined && message !== null && typeof message !== 'string') {
      try {
        const text = stringify(message);
        if (text !== undefined && text !== 'null') return text;
      } catch {
        // a BigInt, or a circle: the text that the server made
      }
    }
  }
  return fault.text || 'the program threw something that has no text';
}

/** The fault of what went wrong on this side: nothing of the program is known to have run. */
export function localFault(code: string, kind: Fault['class'], retryable: boolean, message: string): Fault {
  return { code, class: kind, retryable, message, started: false };
}

/** What a program is given of what a function threw: a text that is not empty. */
export function toolErrorText(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name || 'Error';
    return String(thrown) || 'Error';
  } catch {
    return 'Error';
  }
}
