// Tuned constants stand in two headers: each has a comment and a user. (What their sections name of the notebook is checked with
// all other comments: pages.test.js.)
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(root + path, 'utf8');
const headers = ['src/base/machine.h', 'src/kernels/machine.h'];

/** The constants of a header: [name, comment]. */
const constantsOf = (text) =>
  [...text.matchAll(/^ {2}(HLO_\w+) = [^,]+,?(?:[ \n]*\/\/ (.*))?$/gm)].map(([, name, comment]) => [
    name,
    comment,
  ]);

const constants = headers.flatMap((path) => constantsOf(read(path)));

test('every tuned constant has a comment', () => {
  assert.ok(constants.length > 200);
  assert.deepEqual(
    constants.filter(([, comment]) => !comment),
    [],
  );
});

test('every tuned constant is used', () => {
  const sources = readdirSync(root + 'src', { recursive: true })
    .map((name) => `src/${name}`.replaceAll('\\', '/'))
    .filter((path) => /\.[ch]$/.test(path) && !headers.includes(path))
    .map(read);
  const used = new Set(sources.flatMap((text) => text.match(/\bHLO_[A-Z0-9_]+\b/g) ?? []));
  const inHeaders = headers.map(read).join('');
  const isUsed = (name) =>
    used.has(name) || inHeaders.split(new RegExp(`\\b${name}\\b`)).length > 2;
  assert.deepEqual(
    constants.map(([name]) => name).filter((name) => !isUsed(name)),
    [],
  );
});

test('a constant without a comment would be noticed', () => {
  assert.deepEqual(constantsOf('enum {\n  HLO_A = 1, // b\n  HLO_C = 2,\n};\n'), [
    ['HLO_A', 'b'],
    ['HLO_C', undefined],
  ]);
});
