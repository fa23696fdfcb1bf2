// What of a program is sent to be executed, and the way back to the code's own positions. It is
// codemode/program.go in another language.
import * as acorn from 'acorn';
import { CLOSING, OPENING, asBody, bare, joined, normalize, parseModule, put, type Piece } from './normalize.js';

/** A module whose default export is the program's function. */
export interface Program {
  code: string;
  pieces: Piece[];
  language: 'js' | 'ts';
}

export const sourceOf = (program: Program): string => joined(program.pieces);

const exported = (pieces: Piece[]): Piece[] => [put('export default '), ...pieces];

/**
 * What to try, in this order; the last is JavaScript. One that does not parse as TypeScript has not run and makes
 * room for the next. Something is put around a text only where that is whole in itself: it parses, or its brackets
 * match. Any other goes as it is, to be refused by the engine.
 */
export function programs(code: string): Program[] {
  const { pieces, understood } = normalize(code, 0);
  const script: Program = { code, pieces: exported(pieces), language: 'js' };
  if (understood) return [script];
  const { source, at } = bare(code, 0);
  const tokens = tokenize(source);
  if (tokens === undefined) return [{ code, pieces: [{ text: source, at }], language: 'js' }];
  const body = parseModule(joined(pieces))?.body;
  if (body?.length === 1 && body[0]?.type === 'ExpressionStatement') return [script]; // it returns, at its top
  return [{ code, pieces: exported(typedPieces(source, at, tokens)), language: 'ts' }, script];
}

interface Token {
  text: string;
  type: acorn.TokenType;
  start: number;
  end: number;
  depth: number;
  onNewLine: boolean;
}

const closes = new Map([['(', ')'], ['[', ']'], ['{', '}'], ['${', '}']]);

/** The tokens of a source, undefined when its brackets do not match or something is no token. */
function tokenize(source: string): Token[] | undefined {
  const tokens: Token[] = [];
  const due: string[] = []; // the closing brackets
  try {
    // A decorator's sign is no token of acorn's.
    for (const { type, start, end } of acorn.tokenizer(source.replaceAll('@', '_'), { ecmaVersion: 'latest', sourceType: 'module' })) {
      const text = source.slice(start, end);
      const isText = type === acorn.tokTypes.template || type === acorn.tokTypes.string || type === acorn.tokTypes.regexp;
      if (type === acorn.tokTypes.eof) break;
      const before = tokens.at(-1)?.end ?? 0;
      let depth = due.length;
      if (!isText) {
        if (text === '`' ? due.at(-1) === '`' : text === ')' || text === ']' || text === '}') {
          if (due.pop() !== text) return undefined;
          depth--;
        } else if (text === '`') {
          due.push('`');
        } else {
          const closing = closes.get(text);
          if (closing !== undefined) due.push(closing);
        }
      }
      tokens.push({ text, type, start, end, depth, onNewLine: /[\n\r\u2028\u2029]/.test(source.slice(before, start)) });
    }
  } catch {
    return undefined;
  }
  return due.length === 0 ? tokens : undefined;
}

/** The normal form of what may be TypeScript, as far as its tokens tell. */
function typedPieces(source: string, at: number, tokens: Token[]): Piece[] {
  if (tokens.length > 2 && tokens[0]?.text === 'export' && tokens[1]?.text === 'default') {
    const from = (tokens[2] as Token).start;
    return typedPieces(source.slice(from), at + from, tokenize(source.slice(from)) ?? []);
  }
  const whole = { text: source, at };
  const shape = shapeOf(tokens);
  if (shape === 'arrow') return [whole];
  if (shape !== undefined) {
    if (shape.name === '') return [put(`${OPENING}return (`), whole, put(`)();${CLOSING}`)];
    return [put(OPENING), whole, put(`\nreturn ${shape.name}();${CLOSING}`)];
  }
  for (let i = tokens.length - 1; i > 0; i--) {
    if (!endsBefore(tokens, i)) continue;
    const from = (tokens[i] as Token).start;
    const last = parseModule(source.slice(from))?.body;
    const statement = last?.[0];
    if (last?.length !== 1 || statement?.type !== 'ExpressionStatement') break;
    const { start, end } = statement.expression;
    return [
      put(OPENING), { text: source.slice(0, from), at }, put('return ('),
      { text: source.slice(from + start, from + end), at: at + from + start }, put(`)${CLOSING}`),
    ];
  }
  return asBody(source, at);
}

// Whether a statement surely ends before a token: a semicolon says so, or the token begins a line and an
// expression, and the line before can end one.
function endsBefore(tokens: Token[], i: number): boolean {
  const token = tokens[i] as Token;
  let before = tokens[i - 1] as Token;
  if (token.depth > 0) return false;
  if (before.text === ';') return true;
  if (before.text === '!' && i > 1) before = tokens[i - 2] as Token; // TypeScript's assertion that a value is there
  return token.onNewLine && endsExpression(before) && (token.type === acorn.tokTypes.name || token.text === 'await' || token.text === 'new');
}

function endsExpression({ text, type }: Token): boolean {
  const { name, num, string, regexp, template } = acorn.tokTypes;
  return [name, num, string, regexp, template].includes(type) || [')', ']', '}', '`', '++', '--', 'this', 'super', 'null', 'true', 'false'].includes(text);
}

// Tells whether the tokens are one arrow function or one function declaration, types and all.
function shapeOf(tokens: Token[]): 'arrow' | { name: string } | undefined {
  const top = tokens.filter((t) => t.depth === 0);
  while (top.at(-1)?.text === ';') top.pop();
  // Within one function nothing of the top ends a statement.
  if (top.some((t, i) => t.text === ';' || (i > 0 && t.onNewLine && top[i - 1]?.text === '}'))) return undefined;
  const texts = top.map((t) => t.text);
  let i = texts[0] === 'async' ? 1 : 0;
  if (texts[i] === 'function') {
    i++;
    if (texts[i] === '*') i++;
    const name = top[i]?.type === acorn.tokTypes.name ? (texts[i++] as string) : '';
    return (texts[i] === '(' || texts[i] === '<') && texts.at(-1) === '}' ? { name } : undefined;
  }
  if (texts[i] !== '(' && texts[i] !== '<') return undefined;
  const arrow = texts.indexOf('=>', i);
  return arrow > 0 && !texts.slice(i, arrow).some((t) => t === '.' || t === '=') ? 'arrow' : undefined;
}

/** Where a place of what was sent is in the code; lines and columns count from 1. */
export function originalPosition(program: Program, line: number, column: number): { line: number; column: number } {
  const source = sourceOf(program);
  let offset = 0;
  for (let l = 1; l < line; l++) {
    const next = source.indexOf('\n', offset);
    if (next < 0) break;
    offset = next + 1;
  }
  offset += column - 1;
  let at = program.code.trimEnd().length;
  let start = 0;
  for (const piece of program.pieces) {
    const end = start + piece.text.length;
    if (piece.at >= 0) {
      if (offset < end) {
        at = piece.at + Math.max(0, offset - start);
        break;
      }
      at = piece.at + piece.text.length;
    }
    start = end;
  }
  const before = program.code.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}

/** A stack with the frames where they are in the code, without those of the guest's side. */
export function originalStack(program: Program, stack: string, guestScript: string): string {
  return stack.split('\n')
    .filter((frame) => !frame.includes(`(${guestScript}:`) && !frame.trim().startsWith(`at ${guestScript}:`))
    .join('\n')
    .replace(/\bprogram:(\d+):(\d+)/g, (_match, line: string, column: string) => {
      const at = originalPosition(program, Number(line), Number(column));
      return `program:${at.line}:${at.column}`;
    });
}

/** The line of the code that an error is in, cut around the column when it is long. */
export function excerptOf(program: Program, line: number, column: number): string {
  const text = (program.code.split('\n')[line - 1] ?? '').replace(/\r$/, '');
  const most = 160;
  if (text.length <= most) return text;
  const from = Math.min(Math.max(0, column - most / 2), text.length - most);
  return text.slice(from, from + most);
}
