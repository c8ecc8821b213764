// Files of a folder are cut at seams: no two of them use functions or tables of each other both ways, but for the pairs
// below, which are to become fewer. Reads the symbols of the objects of the first wasm build, so that what macros define is
// seen, too. Knows nothing of calls by pointers.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const objects = `${process.env.BUILD?.startsWith('/') ? '' : root}${process.env.BUILD ?? 'build'}/wasm/hlo/`;

/** Pairs that are known, with the reason why they are; without ".c". */
const known = {
  // a loop ends blocks inside of it, whose sums are loops; loads need indices, which are values, which are loaded
  'codegen/encode': ['block_sums outer_loops', 'memory_code vector_code'],
  // the quotient of a sum is a sum of quotients, which are brought into their final form by the same rules
  'indexing/maps': ['simplify_divide simplify_sum'],
};

/**
 * The external symbols of a WebAssembly object, by the tool conventions' "Linking": of functions and data, those that it
 * defines, and those that it uses from elsewhere.
 * @param {Uint8Array} bytes @returns {{ defined: string[], used: string[] }}
 */
function symbolsOf(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const name = () => {
    const length = number();
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const skipLimits = () => {
    for (let count = 1 + (bytes[at++] & 1); count > 0; count--) number();
  };
  /** @type {string[]} */
  const functions = []; // that are imported, by which their symbols are numbered
  const imports = () => {
    for (let count = number(); count > 0; count--) {
      name();
      const field = name();
      const kind = bytes[at++];
      if (kind === 0) (functions.push(field), number());
      else if (kind === 1) (at++, skipLimits());
      else if (kind === 2) skipLimits();
      else if (kind === 3) at += 2;
      else (at++, number());
    }
  };
  const BINDING_LOCAL = 2;
  const UNDEFINED = 16;
  const EXPLICIT_NAME = 64;
  const found = { defined: [], used: [] };
  const symbols = () => {
    for (let count = number(); count > 0; count--) {
      const kind = bytes[at++];
      const flags = number();
      const isUndefined = (flags & UNDEFINED) !== 0;
      let symbol = '';
      if (kind === 1) {
        symbol = name();
        if (!isUndefined) (number(), number(), number());
      } else if (kind === 3) number();
      else {
        const index = number();
        const named = !isUndefined || (flags & EXPLICIT_NAME) !== 0 ? name() : functions[index];
        if (kind === 0) symbol = named;
      }
      if (symbol !== '' && (flags & BINDING_LOCAL) === 0)
        found[isUndefined ? 'used' : 'defined'].push(symbol);
    }
  };
  const IMPORTS = 2;
  const SYMBOL_TABLE = 8;
  while (at < bytes.length) {
    const id = bytes[at++];
    const length = number();
    const end = at + length;
    if (id === IMPORTS) imports();
    if (id === 0 && name() === 'linking') {
      number(); // the version
      while (at < end) {
        const kind = bytes[at++];
        const size = number();
        const next = at + size;
        if (kind === SYMBOL_TABLE) symbols();
        at = next;
      }
    }
    at = end;
  }
  return found;
}

/** Pairs of files of one folder that use symbols of each other. @param {Map<string, {defined: string[], used: string[]}>} files */
function cycles(files) {
  const owners = new Map();
  for (const [path, { defined }] of files) for (const name of defined) owners.set(name, path);
  const uses = new Map(
    [...files].map(([path, { used }]) => [path, new Set(used.map((name) => owners.get(name)))]),
  );
  const pairs = [];
  for (const [path, used] of uses)
    for (const other of used)
      if (other !== undefined && path < other && dirname(path) === dirname(other))
        if (uses.get(other).has(path))
          pairs.push(`${dirname(path)}: ${basename(path)} ${basename(other)}`);
  return pairs.sort();
}

test('no two files of a folder call each other both ways', () => {
  const paths = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.c'))
    .map((path) => path.replace(/\.c$/, ''));
  assert.ok(existsSync(`${objects}src`), 'make wasm comes first');
  const files = new Map(
    paths.map((path) => [path, symbolsOf(readFileSync(`${objects}src/${path}.o`))]),
  );
  const all = [...files.values()];
  const defined = new Set(all.flatMap((file) => file.defined));
  for (const name of ['hlo_cos_f32', 'affine_sum_finish', 'hlo_builtin_codes'])
    assert.ok(defined.has(name) && all.some((file) => file.used.includes(name)), name);
  const expected = Object.entries(known).flatMap(([folder, pairs]) =>
    pairs.map((pair) => `${folder}: ${pair}`),
  );
  assert.deepEqual(cycles(files), expected.sort());
});

test('a cycle is found', () => {
  const a = { defined: ['a', 'table'], used: ['b', 'elsewhere'] };
  const b = { defined: ['b'], used: [] };
  const pairsOf = (path, used) =>
    cycles(
      new Map([
        ['x/a', a],
        [path, { ...b, used }],
      ]),
    );
  assert.deepEqual(pairsOf('x/b', ['elsewhere']), []);
  assert.deepEqual(pairsOf('x/b', ['table']), ['x: a b']);
  assert.deepEqual(pairsOf('y/b', ['table']), []);
});
