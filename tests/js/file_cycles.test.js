// Files of a folder are cut at seams: none of them needs itself by way of others of its folder, but through the files below,
// where a recursion comes round. Reads the symbols of the objects of the first wasm build, so that what macros define is
// seen, too. Knows nothing of calls by pointers.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const objects = `${process.env.BUILD?.startsWith('/') ? '' : root}${process.env.BUILD ?? 'build'}/wasm/hlo/`;

/** Files without which their folder has no circle; without ".c". */
const known = {
  // languages inside themselves: the file that sees any construct calls those for each of them, which see what is nested in it
  'codegen/lower': ['families'],
  reference: ['operations'],
  'text/mlir': ['types'],
  'text/stablehlo/import': ['operations'],
  'text/stablehlo/print': ['instruction'],
  // a run evaluates instructions that apply computations, which are runs
  'run/exec': ['run'],
  // a loop ends blocks inside of it, whose sums are loops; loads need indices, which are values, which are loaded
  'codegen/encode': ['block_sums', 'vector_code'],
  // the quotient of a sum is a sum of quotients, which are brought into their final form by the same rules
  'indexing/maps': ['simplify_divide'],
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

/**
 * Circles among files of one folder that use symbols of each other, directly or by way of others: the strongly connected
 * components of more than one file. @param {Map<string, {defined: string[], used: string[]}>} files
 */
function circles(files) {
  const owners = new Map();
  for (const [path, { defined }] of files) for (const name of defined) owners.set(name, path);
  const uses = new Map();
  for (const [path, { used }] of files) {
    const others = new Set(used.map((name) => owners.get(name)));
    uses.set(
      path,
      [...others].filter((other) => other !== undefined && dirname(other) === dirname(path)),
    );
  }
  /** @param {string} path */
  const reachedFrom = (path) => {
    const reached = new Set();
    const left = [...uses.get(path)];
    for (let next = left.pop(); next !== undefined; next = left.pop())
      if (!reached.has(next)) (reached.add(next), left.push(...uses.get(next)));
    return reached;
  };
  const reached = new Map([...files.keys()].map((path) => [path, reachedFrom(path)]));
  const found = new Set();
  for (const [path, others] of reached) {
    const circle = [...others].filter((other) => other !== path && reached.get(other).has(path));
    if (circle.length > 0)
      found.add(
        `${dirname(path)}: ${[path, ...circle]
          .map((one) => basename(one))
          .sort()
          .join(' ')}`,
      );
  }
  return [...found].sort();
}

test('no file of a folder needs itself by way of others', () => {
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
  for (const name of ['hlo_cos_f32', 'hlo_affine_sum_finish', 'hlo_builtin_codes'])
    assert.ok(defined.has(name) && all.some((file) => file.used.includes(name)), name);
  const listed = Object.entries(known).flatMap(([folder, names]) =>
    names.map((name) => `${folder}/${name}`),
  );
  const without = (/** @type {string[]} */ paths) =>
    circles(new Map([...files].filter(([path]) => !paths.includes(path))));
  assert.deepEqual(without(listed), []);
  for (const path of listed)
    assert.ok(
      without(listed.filter((other) => other !== path)).length > 0,
      `${path} is in no circle`,
    );
  const unnamed = [...defined].filter((name) => !/^_?hlo_/.test(name));
  assert.deepEqual(unnamed.sort(), [], 'names that other files see begin with hlo_');
});

test('a circle is found', () => {
  const circlesOf = (/** @type {Record<string, string>} */ uses) =>
    circles(
      new Map(
        Object.entries(uses).map(([path, used]) => [
          path,
          { defined: [basename(path)], used: used.split(' ') },
        ]),
      ),
    );
  assert.deepEqual(circlesOf({ 'x/a': 'b elsewhere', 'x/b': 'elsewhere' }), []);
  assert.deepEqual(circlesOf({ 'x/a': 'b', 'x/b': 'a' }), ['x: a b']);
  assert.deepEqual(circlesOf({ 'x/a': 'b', 'x/b': 'c', 'x/c': 'a', 'x/d': 'a' }), ['x: a b c']);
  assert.deepEqual(circlesOf({ 'x/a': 'b', 'y/b': 'a' }), []);
});
