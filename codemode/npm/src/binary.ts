// The values of calls as the dialect writes them: JSON, in which bytes are a tagged object.
import { fromBase64, toBase64 } from './base64.js';

const TAG = '__codemode_binary_v1__';

/** The text of a value, undefined for what JSON has no text for. */
export function stringify(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, nested: unknown) => {
    if (nested instanceof Uint8Array) return { [TAG]: 'Uint8Array', data: toBase64(nested) };
    if (nested instanceof ArrayBuffer) return { [TAG]: 'ArrayBuffer', data: toBase64(new Uint8Array(nested)) };
    if (ArrayBuffer.isView(nested)) {
      return { [TAG]: 'ArrayBufferView', data: toBase64(new Uint8Array(nested.buffer, nested.byteOffset, nested.byteLength)) };
    }
    return nested;
  });
}

/** Reads such a text. */
export function parse(text: string): unknown {
  return JSON.parse(text, (_key, nested: unknown) => {
    if (typeof nested !== 'object' || nested === null || !Object.hasOwn(nested, TAG)) return nested;
    const tagged = nested as { [TAG]: unknown; data: unknown };
    if (typeof tagged.data !== 'string') return nested;
    const bytes = bytesOf(tagged.data);
    return tagged[TAG] === 'ArrayBuffer' ? bytes.buffer : bytes;
  });
}

// Platforms have texts of their own for what atob refuses; this is that of programs.
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64(text);
  } catch {
    throw new Error('atob: the text is not correctly encoded base64');
  }
}
