// Codec text: JSON, and objects whose first member is "$" for what JSON has not. It is specified in
// docs/contract.md, "Values"; messages carry it as JSON, so here it is a tree and no text.
import { fromBase64, toBase64 } from './base64.js';

const DEPTH = 1000;

const views: Record<string, { new (buffer: ArrayBuffer): ArrayBufferView }> = {
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
  BigInt64Array, BigUint64Array, DataView,
};

const errors: Record<string, ErrorConstructor> = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

const set = (object: object, key: string, value: unknown, enumerable: boolean): void => {
  Object.defineProperty(object, key, { value, writable: true, enumerable, configurable: true });
};

type Tree = { [key: string]: unknown };

/** Makes the value that a tree of codec text stands for. */
export function decode(tree: unknown): unknown {
  return new Decoder().value(tree);
}

// A definition is filled after it is known, so that what is within it can refer to it.
class Decoder {
  readonly #known = new Map<unknown, unknown>();

  value(tree: unknown, id?: unknown): unknown {
    if (typeof tree !== 'object' || tree === null) return tree;
    if (Array.isArray(tree)) return this.#array(tree, id);
    const object = tree as Tree;
    return Object.hasOwn(object, '$') ? this.#escape(object, id) : this.#object(object, id);
  }

  #keep<T>(value: T, id: unknown): T {
    if (id !== undefined) this.#known.set(id, value);
    return value;
  }

  #array(tree: unknown[], id: unknown): unknown[] {
    const list = this.#keep(new Array<unknown>(tree.length), id);
    tree.forEach((item, i) => {
      if (!isHole(item)) list[i] = this.value(item);
    });
    return list;
  }

  #object(tree: Tree, id: unknown): object {
    const object = this.#keep({}, id);
    for (const [key, item] of Object.entries(tree)) set(object, key, this.value(item), true);
    return object;
  }

  #escape(tree: Tree, id: unknown): unknown {
    switch (tree['$']) {
      case 'undefined': return undefined;
      case 'number': return Number(tree['v']);
      case 'bigint': return BigInt(tree['v'] as string);
      case 'date': return this.#keep(new Date(tree['v'] === null ? NaN : (tree['v'] as number)), id);
      case 'regexp': return this.#keep(new RegExp(tree['source'] as string, tree['flags'] as string), id);
      case 'url': return this.#keep(new URL(tree['v'] as string), id);
      case 'object': return this.#object(tree['v'] as Tree, id);
      case 'def': return this.value(tree['v'], tree['id']);
      case 'ref': return this.#known.get(tree['id']);
      case 'bytes': return this.#bytes(tree, id);
      case 'error': return this.#error(tree, id);
      case 'map': {
        const map = this.#keep(new Map<unknown, unknown>(), id);
        for (const [key, item] of tree['v'] as [unknown, unknown][]) map.set(this.value(key), this.value(item));
        return map;
      }
      case 'set': {
        const made = this.#keep(new Set<unknown>(), id);
        for (const item of tree['v'] as unknown[]) made.add(this.value(item));
        return made;
      }
    }
    throw new TypeError(`codec text with an escape of the unknown kind ${JSON.stringify(tree['$'])}`);
  }

  #bytes(tree: Tree, id: unknown): unknown {
    const { buffer } = fromBase64(tree['v'] as string);
    if (tree['type'] === 'ArrayBuffer') return this.#keep(buffer, id);
    const View = Object.hasOwn(views, tree['type'] as string) ? views[tree['type'] as string] : undefined;
    if (View === undefined) throw new TypeError(`codec text with bytes of the unknown type ${JSON.stringify(tree['type'])}`);
    return this.#keep(new View(buffer), id);
  }

  #error(tree: Tree, id: unknown): Error {
    const name = tree['name'] as string;
    const message = tree['message'] as string;
    const isAggregate = Array.isArray(tree['errors']);
    const error: Error = this.#keep(isAggregate ? new AggregateError([]) : new ((Object.hasOwn(errors, name) ? errors[name] : undefined) ?? Error)(), id);
    set(error, 'message', message, false);
    if (error.name !== name) set(error, 'name', name, false);
    if (typeof tree['stack'] === 'string') set(error, 'stack', tree['stack'], false);
    else delete error.stack;
    if (Object.hasOwn(tree, 'cause')) set(error, 'cause', this.value(tree['cause']), false);
    if (isAggregate) set(error, 'errors', (tree['errors'] as unknown[]).map((item) => this.value(item)), false);
    for (const [key, item] of Object.entries(this.value(tree['fields'] ?? {}) as Tree)) set(error, key, item, true);
    return error;
  }
}

// The tree of an object with these members: one with a key "$" is escaped.
function escaped(members: Tree): Tree {
  return Object.hasOwn(members, '$') ? { $: 'object', v: members } : members;
}

function isHole(tree: unknown): boolean {
  return typeof tree === 'object' && tree !== null && (tree as Tree)['$'] === 'hole';
}

/** Makes the tree of codec text of a value. What cannot cross throws a TypeError with the path to it. */
export function encode(value: unknown): unknown {
  const encoder = new Encoder();
  const tree = encoder.value(value, '$', 0);
  return encoder.withReferences(tree);
}

class Encoder {
  // The trees of the objects that were met, and the references to each.
  readonly #seen = new Map<object, { tree: unknown; references: Tree[] }>();

  value(value: unknown, path: string, depth: number): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (Number.isFinite(value) && !Object.is(value, -0)) return value;
        return { $: 'number', v: Object.is(value, -0) ? '-0' : String(value) };
      case 'undefined': return { $: 'undefined' };
      case 'bigint': return { $: 'bigint', v: String(value) };
      case 'object': return value === null ? null : this.#object(value, path, depth, false);
    }
    throw new TypeError(`a ${typeof value} at ${path} cannot be sent to the program`);
  }

  #object(value: object, path: string, depth: number, isFinal: boolean): unknown {
    const met = this.#seen.get(value);
    if (met !== undefined) {
      const reference: Tree = { $: 'ref', id: 0 };
      met.references.push(reference);
      return reference;
    }
    if (depth >= DEPTH) throw new TypeError(`the value at ${path} is nested deeper than ${DEPTH}`);
    if (!isFinal && isPlain(value)) {
      const { toJSON } = value as { toJSON?: unknown };
      if (typeof toJSON === 'function') {
        const replaced: unknown = toJSON.call(value, '');
        return typeof replaced === 'object' && replaced !== null ? this.#object(replaced, path, depth, true) : this.value(replaced, path, depth);
      }
    }
    if (value instanceof Boolean || value instanceof Number || value instanceof String) return this.value(value.valueOf(), path, depth);
    const entry: { tree: unknown; references: Tree[] } = { tree: undefined, references: [] };
    this.#seen.set(value, entry);
    entry.tree = this.#tree(value, path, depth + 1);
    return entry.tree;
  }

  #tree(value: object, path: string, depth: number): unknown {
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (let i = 0; i < value.length; i++) list.push(i in value ? this.value(value[i], `${path}[${i}]`, depth) : { $: 'hole' });
      return list;
    }
    if (value instanceof Map) {
      return { $: 'map', v: [...value].map(([k, v], i) => [this.value(k, `${path}.keys[${i}]`, depth), this.value(v, `${path}.values[${i}]`, depth)]) };
    }
    if (value instanceof Set) return { $: 'set', v: [...value].map((v, i) => this.value(v, `${path}.values[${i}]`, depth)) };
    if (value instanceof Date) return { $: 'date', v: Number.isNaN(value.getTime()) ? null : value.getTime() };
    if (value instanceof RegExp) return { $: 'regexp', source: value.source, flags: value.flags };
    if (value instanceof URL) return { $: 'url', v: value.href };
    if (value instanceof Error) return this.#error(value, path, depth);
    if (value instanceof ArrayBuffer) return { $: 'bytes', type: 'ArrayBuffer', v: toBase64(new Uint8Array(value)) };
    if (ArrayBuffer.isView(value)) {
      const type = value instanceof Uint8Array && !Object.hasOwn(views, value.constructor.name) ? 'Uint8Array' : value.constructor.name;
      return { $: 'bytes', type, v: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
    }
    for (const kind of [WeakMap, WeakSet, WeakRef, Promise]) {
      if (value instanceof kind) throw new TypeError(`a ${kind.name} at ${path} cannot be sent to the program`);
    }
    return this.#members(value, path, depth);
  }

  #members(value: object, path: string, depth: number): unknown {
    const tree: Tree = {};
    for (const [key, item] of Object.entries(value)) set(tree, key, this.value(item, `${path}.${key}`, depth), true);
    return escaped(tree);
  }

  #error(error: Error, path: string, depth: number): unknown {
    const tree: Tree = { $: 'error', name: String(error.name), message: String(error.message) };
    if (typeof error.stack === 'string') tree['stack'] = error.stack;
    if (Object.hasOwn(error, 'cause')) tree['cause'] = this.value(error.cause, `${path}.cause`, depth);
    const fields: Tree = {};
    for (const [key, item] of Object.entries(error)) {
      if (!['name', 'message', 'stack', 'cause', 'errors'].includes(key)) set(fields, key, this.value(item, `${path}.${key}`, depth), true);
    }
    if (Object.keys(fields).length > 0) tree['fields'] = escaped(fields);
    if (error instanceof AggregateError) tree['errors'] = error.errors.map((item, i) => this.value(item, `${path}.errors[${i}]`, depth));
    return tree;
  }

  /** Puts definitions around what is referred to. Ids count from 1 in the order in which definitions open. */
  withReferences(tree: unknown): unknown {
    const referred = new Map<unknown, Tree[]>();
    for (const { tree: of, references } of this.#seen.values()) if (references.length > 0) referred.set(of, references);
    if (referred.size === 0) return tree;
    let ids = 0;
    const walk = (node: unknown): unknown => {
      if (typeof node !== 'object' || node === null) return node;
      const references = referred.get(node);
      const id = references === undefined ? 0 : ++ids;
      for (const reference of references ?? []) reference['id'] = id;
      if (Array.isArray(node)) node.forEach((item, i) => { node[i] = walk(item); });
      else for (const [key, item] of Object.entries(node)) set(node, key, walk(item), true);
      return references === undefined ? node : { $: 'def', id, v: node };
    };
    return walk(tree);
  }
}

function isPlain(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return (tag === '[object Object]' || tag === '[object Array]') && !(value instanceof URL);
}
