// Files of a folder are cut at seams: no two of them call each other both ways, but for the pairs below, which are to
// become fewer. Reads the sources of src/ as text: which file defines a function hlo_…, and which ones name it. Knows
// nothing of calls by pointers, nor of functions that macros define.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** Pairs that are known, with the reason why they are; without ".c". */
const known = {
  // a loop ends blocks inside of it, whose sums are loops; loads need indices, which are values, which are loaded
  'codegen/encode': ['block_sums outer_loops', 'memory_code vector_code'],
  // recursion of the format: an integer names its type, and types may hold integers
  'text/bytecode': ['numbers values'],
};

const comments = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"/g;
const definition = /^(?!static\b)(?![ \t#}])[\w \t*]*?\b(hlo_\w+)\s*\([^;{]*\)\s*\{/gm;

/** Pairs of files of one folder that name functions of each other. @param {Map<string, string>} sources */
function cycles(sources) {
  const code = new Map([...sources].map(([path, text]) => [path, text.replaceAll(comments, '')]));
  const owners = new Map();
  for (const [path, text] of code)
    for (const [, name] of text.matchAll(definition))
      owners.set(name, (owners.get(name) ?? new Set()).add(path));
  const calls = new Map();
  for (const [path, text] of code)
    for (const [name] of text.matchAll(/\bhlo_\w+/g)) {
      const [owner, ...others] = owners.get(name) ?? [];
      if (owner === undefined || others.length > 0 || owner === path) continue;
      if (dirname(owner) === dirname(path))
        calls.set(path, (calls.get(path) ?? new Set()).add(owner));
    }
  const pairs = [];
  for (const [path, callees] of calls)
    for (const other of callees)
      if (path < other && calls.get(other)?.has(path))
        pairs.push(`${dirname(path)}: ${basename(path, '.c')} ${basename(other, '.c')}`);
  return pairs.sort();
}

test('no two files of a folder call each other both ways', () => {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const paths = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.c'));
  const found = cycles(new Map(paths.map((path) => [path, readFileSync(root + path, 'utf8')])));
  const expected = Object.entries(known).flatMap(([folder, pairs]) =>
    pairs.map((pair) => `${folder}: ${pair}`),
  );
  assert.deepEqual(found, expected.sort());
});

test('a cycle is found', () => {
  const a = 'int hlo_a(void) {\n  return hlo_b();\n}\n';
  const b = 'int hlo_b(void) {\n  return 1; // hlo_a\n}\n';
  assert.deepEqual(
    cycles(
      new Map([
        ['x/a.c', a],
        ['x/b.c', b],
      ]),
    ),
    [],
  );
  assert.deepEqual(
    cycles(
      new Map([
        ['x/a.c', a],
        ['x/b.c', b.replace('// hlo_a', '+ hlo_a();')],
      ]),
    ),
    ['x: a b'],
  );
});
