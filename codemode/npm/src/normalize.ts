// The normal form of a program: whatever a language model wrote becomes one arrow function
// without parameters. It is that of codemode/normalize.go, and both are held to the same vectors.
import * as acorn from 'acorn';

/** A part of a normal form: text of the code, or put in around it. */
export interface Piece {
  text: string;
  /** Where it is in the code; -1 for what was put in. */
  at: number;
}

export const put = (text: string): Piece => ({ text, at: -1 });
export const joined = (pieces: Piece[]): string => pieces.map((p) => p.text).join('');

export const OPENING = 'async () => {\n';
export const CLOSING = '\n}';

/**
 * The source of a function that does what the code does: an arrow function is left as it is, a default export
 * and a function declaration are called, the value of a last expression is returned, and everything else becomes
 * the body of an async arrow function. A fence of Markdown around the code is dropped.
 */
export function normalizeCode(code: string): string {
  return joined(normalize(code, 0).pieces);
}

const fence = /^```(?:js|javascript|typescript|ts|tsx|jsx)?\s*\n([\s\S]*?)```\s*$/d;

/** The code without the white space and the fence around it, and where that begins. */
export function bare(code: string, at: number): { source: string; at: number } {
  const outer = trim(code, at);
  const match = fence.exec(outer.source);
  if (match === null) return outer;
  const from = (match.indices as [number, number][])[1]![0];
  return trim(match[1] as string, outer.at + from);
}

function trim(code: string, at: number): { source: string; at: number } {
  const left = code.trimStart();
  return { source: left.trimEnd(), at: at + code.length - left.length };
}

export function asBody(source: string, at: number): Piece[] {
  return [put(OPENING), { text: source, at }, put(CLOSING)];
}

/** Parses a module, undefined when it does not parse. */
export function parseModule(source: string): acorn.Program | undefined {
  try {
    return acorn.parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch {
    return undefined;
  }
}

/** The normal form of code that stands at a place of the whole, and whether it was understood. */
export function normalize(code: string, offset: number): { pieces: Piece[]; understood: boolean } {
  const { source, at } = bare(code, offset);
  if (source === '') return { pieces: [put('async () => {}')], understood: true };
  const program = parseModule(source);
  if (program === undefined) return { pieces: asBody(source, at), understood: false };
  return { pieces: formOf(source, at, program.body), understood: true };
}

function formOf(source: string, at: number, body: acorn.Program['body']): Piece[] {
  const only = body.length === 1 ? body[0] : undefined;
  const last = body.at(-1);
  const piece = (from: number, to: number): Piece => ({ text: source.slice(from, to), at: at + from });
  if (only?.type === 'ExpressionStatement' && only.expression.type === 'ArrowFunctionExpression') return [{ text: source, at }];
  if (only?.type === 'ExportDefaultDeclaration') {
    const { declaration } = only;
    const inner = piece(declaration.start, declaration.end);
    const isAnonymous = 'id' in declaration && declaration.id === null;
    if (declaration.type === 'FunctionDeclaration' && isAnonymous) return [put(`${OPENING}return (`), inner, put(`)();${CLOSING}`)];
    if (declaration.type === 'ClassDeclaration' && isAnonymous) return [put(`${OPENING}return (`), inner, put(`);${CLOSING}`)];
    return normalize(inner.text, inner.at).pieces;
  }
  if (only?.type === 'FunctionDeclaration') return [put(OPENING), { text: source, at }, put(`\nreturn ${only.id.name}();${CLOSING}`)];
  if (last?.type === 'ExpressionStatement') {
    return [put(OPENING), piece(0, last.start), put('return ('), piece(last.expression.start, last.expression.end), put(`)${CLOSING}`)];
  }
  return asBody(source, at);
}
