// Normal forms, names, the codec and the guest's side, against the vectors that the Go package has too.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { normalizeCode, sanitizeToolName } from 'isogate-codemode';
import { decode, encode } from '../dist/codec.js';
import * as upstream from './upstream.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

test('normal forms are those of the vectors and of the package itself', () => {
  const vectors = read('../../testdata/normalize.json');
  assert.ok(vectors.length > 50);
  for (const { code, want } of vectors) {
    assert.equal(normalizeCode(code), want, code);
    assert.equal(upstream.normalizeCode(code), want, code);
  }
});

test('names are those of the vectors and of the package itself', () => {
  const vectors = read('../../testdata/sanitize.json');
  assert.ok(vectors.length > 40);
  for (const { name, want } of vectors) {
    assert.equal(sanitizeToolName(name), want, name);
    assert.equal(upstream.sanitizeToolName(name), want, name);
  }
});

test('the codec reads and writes what its vectors say', () => {
  const folder = new URL('../../../protocol/testdata/codec/', import.meta.url);
  let written = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const vector = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    if (vector.refused || vector.js === undefined) continue;
    const value = (0, eval)(vector.js);
    const decoded = decode(JSON.parse(vector.text));
    // Of errors, whether a stack is enumerable would be compared too; an invalid date equals nothing.
    if (!/"error"|"date","v":null/.test(vector.text)) assert.deepStrictEqual(decoded, value, vector.name);
    assert.deepStrictEqual(encode(decoded), encode(value), vector.name);
    if (!vector.roundtrip) continue;
    assert.deepStrictEqual(encode(value), JSON.parse(vector.text), vector.name);
    written++;
  }
  assert.ok(written > 50, `${written} vectors were written`);
});

test('the codec says what cannot cross, and where', () => {
  assert.throws(() => encode({ a: [() => 1] }), /function at \$\.a\[0\]/);
  assert.throws(() => encode(Symbol('x')), /symbol at \$/);
  assert.throws(() => encode(new Map([['k', new WeakMap()]])), /WeakMap at \$\.values\[0\]/);
  let deep = [];
  for (let i = 0; i < 2000; i++) deep = [deep];
  assert.throws(() => encode(deep), /nested deeper than 1000/);
});

test("the guest's side is that of the Go package", () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/embed.mjs', import.meta.url)), '--check']);
});
