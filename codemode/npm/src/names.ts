// Names of providers, connectors and tools, and what is wrong with them.
import type { ConnectorBinding, Fn, ResolvedProvider } from './types.js';

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

const identifier = /^[a-zA-Z_$][a-zA-Z0-9_$]*$/;

// What the dialect reserves, and the globals that no declaration can shadow.
const reservedNames = words(`
  __dispatchers __connectors __logs __CODEMODE_BINARY_TAG __bytesToBase64 __base64ToBytes __encodeCodemodeValue
  __decodeCodemodeValue __stringifyForCodemode __parseForCodemode WorkerEntrypoint CodeExecutor Promise setTimeout
  Error console
  undefined NaN Infinity`);

// What cannot be declared in a strict program (ECMA-262, 12.7.2).
export const reservedWords = words(`
  arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof var void while with yield`);

const toolWords = words(`
  abstract arguments await boolean break byte case catch char class const continue debugger default delete do double
  else enum eval export extends false final finally float for function goto if implements import in instanceof int
  interface let long native new null package private protected public return short static super switch synchronized
  this throw throws transient true try typeof undefined var void volatile while with yield`);

/**
 * The name that a program calls a tool by: hyphens, dots and white space become underscores, other characters
 * outside [A-Za-z0-9_$] are dropped, a leading digit gets an underscore in front and a reserved word one behind.
 */
export function sanitizeToolName(name: string): string {
  const kept = name.replace(/[-.\s]/g, '_').replace(/[^a-zA-Z0-9_$]/g, '');
  if (kept === '') return '_';
  if (/^[0-9]/.test(kept)) return `_${kept}`;
  return toolWords.has(kept) ? `${kept}_` : kept;
}

/** What a run calls its providers and connectors. */
export interface Names {
  /** Begins the native namespaces, which are globals that no namespace shadows. */
  prefix: string;
  /** The functions of each provider, by sanitised name. */
  tools: Map<string, Fn>[];
}

/** Checks the names in the order that the dialect has. A string is the result's error. */
export function nameAll(providers: ResolvedProvider[], connectors: ConnectorBinding[]): Names | string {
  const seen = new Set<string>();
  for (const { name } of providers) {
    const wrong = checkName('Provider', name);
    if (wrong !== undefined) return wrong;
    if (seen.has(name)) return `Duplicate provider name "${name}"`;
    seen.add(name);
  }
  for (const { name } of connectors) {
    const wrong = checkName('Connector', name);
    if (wrong !== undefined) return wrong;
    if (seen.has(name)) return `Duplicate name "${name}" (connector clashes with provider)`;
    seen.add(name);
  }
  let prefix = '__tools_';
  while ([...seen].some((name) => name.startsWith(prefix))) prefix += '_';
  const tools: Map<string, Fn>[] = [];
  for (const provider of providers) {
    const byName = new Map<string, Fn>();
    const sent = new Map<string, string>();
    for (const [name, fn] of Object.entries(provider.fns)) {
      const is = sanitizeToolName(name);
      const other = sent.get(is);
      if (other !== undefined) {
        return `Tool names "${other}" and "${name}" both sanitize to "${is}" in provider "${provider.name}"`;
      }
      sent.set(is, name);
      byName.set(is, fn);
    }
    tools.push(byName);
  }
  return { prefix, tools };
}

function checkName(what: string, name: string): string | undefined {
  if (reservedNames.has(name)) return `${what} name "${name}" is reserved`;
  if (!identifier.test(name) || reservedWords.has(name)) return `${what} name "${name}" is not a valid JavaScript identifier`;
  return undefined;
}

/** Turns the native name of a tool into the one that the program knows. */
export function publicName(names: Names, name: string): string {
  return name.startsWith(names.prefix) ? name.slice(names.prefix.length).replace('.$', '.') : name;
}
