// How errors name what was given: each kind of value, with its article, by one function that all messages use.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { nameOf, withArticle } from '../../web/options.js';

const hlo = await load();

test('every kind of value has a name', () => {
  class Unit {}
  /** @type {[any, string][]} */
  const kinds = [
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [-1.5, '-1.5'],
    [NaN, 'NaN'],
    [7n, '7'],
    ['a "b"', '"a \\"b\\""'],
    [Symbol('s'), 'Symbol(s)'],
    [() => 1, 'a function'],
    [class A {}, 'a function'],
    [[1], 'a list'],
    [{ a: 1 }, 'an object'],
    [Object.create(null), 'an object'],
    [{ constructor: 1 }, 'an object'],
    [new (class {})(), 'an object'],
    [new Map(), 'a Map'],
    [new Date(0), 'a Date'],
    [new Error('no'), 'an Error'],
    [Promise.resolve(), 'a Promise'],
    [new ArrayBuffer(1), 'an ArrayBuffer'],
    [new DataView(new ArrayBuffer(1)), 'a DataView'],
    [new Uint8Array(1), 'a Uint8Array'],
    [new Int32Array(1), 'an Int32Array'],
    [new BigInt64Array(1), 'a BigInt64Array'],
    [new Float32Array(1), 'a Float32Array'],
    [new Unit(), 'a Unit'],
    [hlo, 'an Hlo'],
    [hlo.array(1), 'an HloArray'],
    [hlo.parse('ENTRY e { ROOT x = f32[] parameter(0) }'), 'a Module'],
  ];
  for (const [thing, name] of kinds) assert.equal(nameOf(thing), name);
});

test('articles go by how words are spoken', () => {
  for (const word of ['npz file', '.npz file', 'Executable', 'unknown type', 'Indexing', 'option'])
    assert.equal(withArticle(word), `an ${word}`);
  for (const word of ['safetensors file', 'Uint16Array', 'union', 'unit', 'Value', 'ZIP file'])
    assert.equal(withArticle(word), `a ${word}`);
});

test('no message writes an article before what it inserts', () => {
  const folder = new URL('../../web/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /^(?!.*(bundle-|wasm)).*\.js$/.test(name));
  assert.ok(sources.length > 60);
  for (const name of sources) {
    if (name === 'options.js') continue;
    const text = readFileSync(new URL(name, folder), 'utf8');
    assert.doesNotMatch(text, /\b[Aa]n? \$\{/, `${name}: withArticle() and nameOf() know which`);
  }
});
